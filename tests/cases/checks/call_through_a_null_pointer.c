// verdict: FALSE(null)
// check: null
extern int __VERIFIER_nondet_int(void);
int one(void) { return 1; }
int main(void) { int (*f)(void) = one; if (__VERIFIER_nondet_int() == 3) f = 0; return f(); }
