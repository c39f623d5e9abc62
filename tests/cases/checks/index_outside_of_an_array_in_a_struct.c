// verdict: FALSE(bounds)
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
struct s { int n; char name[8]; int after; } s;
int main(void) { struct s *p = &s; unsigned i = __VERIFIER_nondet_uint(); if (i < 9) p->name[i] = 'x'; }
