// verdict: UNKNOWN
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int main(void) {
  void *labels[] = { &&again };
  int *p = 0, n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3) return 0;
again:
  if (p) return *p;
  int a[n];
  a[0] = 1;
  p = a;
  goto *labels[0];
}
