// verdict: FALSE(bounds)
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
int a[5];
int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i <= 5) a[i] = 1; }
