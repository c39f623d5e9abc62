// verdict: FALSE(uninit)
// check: uninit
extern int __VERIFIER_nondet_int(void);
void maybe(int *p, int c) { if (c > 3) *p = 1; }
int main(void) { int x; maybe(&x, __VERIFIER_nondet_int()); return x; }
