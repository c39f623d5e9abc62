// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && n <= 31) return 1 << n; }
