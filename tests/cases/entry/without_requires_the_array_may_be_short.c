// verdict: FALSE(valid-deref)
// check: valid-deref
// options: --function fill --nonnull
// only: QF_ABVFP
// decided-by: bmc
void fill(int *p, int n) {
  for (int i = 0; i < n; i++) p[i] = i;
}
