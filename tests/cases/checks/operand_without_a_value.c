// verdict: FALSE(uninit)
// check: uninit
extern int __VERIFIER_nondet_int(void);
int main(void) { int x, y = __VERIFIER_nondet_int(); return y > 3 && x; }
