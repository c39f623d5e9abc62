// verdict: FALSE(bounds)
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { int a[3][4] = {{0}}; unsigned i = __VERIFIER_nondet_uint(); if (i < 5) return a[1][i]; }
