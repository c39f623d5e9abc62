// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x < 0) return 1 - (-2147483647 - 1 - x) - 2147483647; }
