// verdict: FALSE(unreach-call)
// property: unreach-call
// check: none
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error(); }
