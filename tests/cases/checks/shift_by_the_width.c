// verdict: FALSE(shift)
// check: shift
extern int __VERIFIER_nondet_int(void);
int main(void) { long n = __VERIFIER_nondet_int(); if (n >= 0 && n <= 32) return 5u << n; }
