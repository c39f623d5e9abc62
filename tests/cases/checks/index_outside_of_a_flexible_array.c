// verdict: FALSE(bounds)
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
struct s { int n; int a[]; };
static struct s s = { 3, { 1, 2, 3 } };
int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i <= s.n) return s.a[i]; }
