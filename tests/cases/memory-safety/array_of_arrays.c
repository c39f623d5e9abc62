// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int a[3][2];
int get(int (*p)[2], int i, int k) { return p[i][k]; }
int main(void) {
  int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (i < 0 || i > 2 || k < 0 || k > 1) return 0;
  return get(a, i, k);
}
