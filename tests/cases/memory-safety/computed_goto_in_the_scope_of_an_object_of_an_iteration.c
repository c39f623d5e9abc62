// verdict: UNKNOWN
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void set(int *p) { *p = 1; }
int main(void) {
  void *labels[] = { &&inside, &&outside };
  if (__VERIFIER_nondet_int()) goto inside;
  for (int i = 0; i < 2; i++) {
    int x;
    set(&x);
    goto *labels[__VERIFIER_nondet_int() != 0];
  inside:
    set(&x);
  }
outside:
  return 0;
}
