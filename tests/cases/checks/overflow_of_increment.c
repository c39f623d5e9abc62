// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) { int a[2] = { __VERIFIER_nondet_int(), 0 }; int *p = a; (*p)++; return 0; }
