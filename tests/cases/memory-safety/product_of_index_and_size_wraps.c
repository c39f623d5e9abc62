// verdict: FALSE(valid-deref)
// property: valid-memsafety
// options: --data-model ILP32
extern int __VERIFIER_nondet_int(void);
int a[4];
int get(int *p, int i) { return p[i]; }
int main(void) {
  int i = __VERIFIER_nondet_int();
  return i < 4 ? 0 : get(a, i);
}
