// verdict: FALSE(bounds)
// check: bounds
extern int __VERIFIER_nondet_int(void);
int main(void) { int a[5] = {0}; int i = __VERIFIER_nondet_int(); if (i < 5 && i > -2) return a[i]; }
