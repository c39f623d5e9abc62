// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int total;
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 1000000) { total += x; total *= 2; total -= 1; } return 0; }
