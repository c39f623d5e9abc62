// verdict: FALSE(null)
// check: null
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) { int *p = __VERIFIER_nondet_int() ? &x : 0; return *p; }
