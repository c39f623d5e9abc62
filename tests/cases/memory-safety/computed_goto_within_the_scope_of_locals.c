// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void set(int *p) { *p = 1; }
int main(void) {
  void *labels[] = { &&inside, &&outside };
  int y = 2;
  {
    int x = 3;
    set(&x);
    goto *labels[__VERIFIER_nondet_int() != 0];
  inside:
    set(&x);
    set(&y);
    if (x != 1) return 1;
  }
outside:
  set(&y);
  return y;
}
