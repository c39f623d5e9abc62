// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int main(void) {
  void *labels[] = { &&first, &&second };
  int *p = 0;
  {
    int x = 3;
    p = &x;
    goto *labels[__VERIFIER_nondet_int() != 0];
  }
first:
  return 0;
second:
  return *p;
}
