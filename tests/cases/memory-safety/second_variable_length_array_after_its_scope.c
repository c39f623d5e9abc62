// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int *set(int *p) { *p = 1; return p; }
int main(void) {
  int *p, n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3) return 0;
  {
    int a[n], b[n];
    set(a);
    p = set(b);
  }
  return *p;
}
