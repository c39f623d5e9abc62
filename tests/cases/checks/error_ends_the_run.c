// verdict: FALSE(division-by-zero)
// check: div-by-zero
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 0) { x = 5 / x; reach_error(); } }
