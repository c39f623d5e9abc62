// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int a[4], b[4];
int get(int *p, int i) { return p[i]; }
int main(void) { return get(b, 0) + get(a, __VERIFIER_nondet_int()); }
