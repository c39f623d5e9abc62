// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p, n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3) return 0;
  {
    int a[n];
    p = a;
    p[0] = 1;
  }
  return p[0];
}
