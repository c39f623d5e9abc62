// verdict: FALSE(no-overflow)
// property: unreach-call,no-overflow
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error(); }
