// verdict: FALSE(unreach-call)
// options: --property unreach-call
extern int __VERIFIER_nondet_int(void);
int main(void) { if (__VERIFIER_nondet_int() > 5) __VERIFIER_error(); }
