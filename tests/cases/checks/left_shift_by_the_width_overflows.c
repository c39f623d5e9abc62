// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(), n = 32; return (x != 0 && x > 0) ? x << n : 0; }
