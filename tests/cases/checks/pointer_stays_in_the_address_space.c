// verdict: TRUE
// check: pointer-overflow
extern unsigned __VERIFIER_nondet_uint(void);
int a[10];
int main(void) { unsigned n = __VERIFIER_nondet_uint(); int *p = a; if (n < 10) p += n, p -= n; return p == a; }
