// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int a[4], b[4];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  a[i] = 1;
  return b[0];
}
