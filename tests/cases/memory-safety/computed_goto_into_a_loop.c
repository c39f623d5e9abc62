// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void set(int *p) { *p = 1; }
int main(void) {
  void *labels[] = { &&inside, &&outside };
  int *old = 0;
  for (int i = 0; i < 2; i++) {
    int x;
    set(&x);
    if (old) return *old;
    old = &x;
  }
  goto *labels[__VERIFIER_nondet_int() != 0];
inside:
  set(old);
outside:
  return 0;
}
