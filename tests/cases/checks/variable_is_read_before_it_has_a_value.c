// verdict: FALSE(uninit)
// check: uninit
extern int __VERIFIER_nondet_int(void);
int main(void) { int x; if (__VERIFIER_nondet_int() > 3) x = 1; return x; }
