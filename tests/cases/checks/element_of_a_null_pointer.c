// verdict: FALSE(null)
// check: null
extern int __VERIFIER_nondet_int(void);
int x[4];
int main(void) { int *p = x; if (__VERIFIER_nondet_int() == 3) p = 0; p[3] = 1; }
