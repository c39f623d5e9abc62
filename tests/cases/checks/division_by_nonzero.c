// verdict: TRUE
// check: div-by-zero
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned x = __VERIFIER_nondet_uint(); return 100 / (x & 3 | 4) + 5 / 2 + 1.0 / 0.0 > 0; }
