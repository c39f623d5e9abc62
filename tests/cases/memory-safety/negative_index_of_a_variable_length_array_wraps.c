// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != 4) return 0;
  char a[n][n];
  a[0][0] = 0;
  long i = __VERIFIER_nondet_long();
  if (i != -(1L << 62)) return 0;
  return a[i][0];
}
