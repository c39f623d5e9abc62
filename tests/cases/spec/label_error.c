// verdict: FALSE(unreach-label)
// options: --property unreach-label
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) goto ERROR; return 0; ERROR: return 1; }
