// verdict: FALSE(division-by-zero)
// check: div-by-zero
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(), y = 7; if (x < 1 && x > -2) y %= x; return y; }
