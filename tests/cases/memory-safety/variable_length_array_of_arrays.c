// verdict: TRUE
// property: valid-memsafety
// only: QF_ABVFP,QF_UFBVFP
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
  if (n < 1 || n > 3 || i < 0 || i >= n) return 0;
  int a[n][n];
  a[i][n - 1] = i;
  return a[i][n - 1];
}
