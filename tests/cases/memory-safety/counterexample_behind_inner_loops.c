// verdict: FALSE(valid-deref)
// property: valid-memsafety
// decided-by: bmc k-induction
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int p[4];
  for (int i = 0; i < 4; i++) p[i] = __VERIFIER_nondet_int();
  if (p[0]) return 0;
  int k = 1;
  for (int i = 1; i <= 2; i++) {
    k = i;
    while (p[k] >= 0) k = p[k];
  }
  return 0;
}
