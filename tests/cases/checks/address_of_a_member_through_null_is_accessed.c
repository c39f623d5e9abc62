// verdict: FALSE(null)
// check: null
extern int __VERIFIER_nondet_int(void);
struct s { int a, b; } s;
struct s *get(int which) { return which > 7 ? &s : 0; }
int main(void) { *&get(__VERIFIER_nondet_int())->b = 2; }
