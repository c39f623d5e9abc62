// verdict: FALSE(valid-deref)
// property: valid-memsafety
// decided-by: bmc k-induction
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int next[3], k = 0, steps = 0;
  for (int i = 0; i < 3; i++) next[i] = __VERIFIER_nondet_int();
  if (next[0] < 0 || next[0] > 2) return 0;
  for (int i = 0; i < 2; i++) {
    for (k = i; next[k] > 0; k = next[k])
      if (++steps > 3) return 0;
    do {
      k = next[k];
    } while (k > 0 && k != i);
  }
  return 0;
}
