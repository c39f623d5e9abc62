// verdict: UNKNOWN
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void set(int *p) { *p = 1; }
int main(void) {
  void *labels[] = { &&inside, &&outside };
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 2) return 0;
  int a[n];
  set(a);
  goto *labels[n - 1];
inside:
  return a[0];
outside:
  return 0;
}
