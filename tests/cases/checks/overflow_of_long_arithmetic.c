// verdict: FALSE(no-overflow)
// property: no-overflow
extern long __VERIFIER_nondet_long(void);
int main(void) { long x = __VERIFIER_nondet_long(); if (x > 0) x += x; return 0; }
