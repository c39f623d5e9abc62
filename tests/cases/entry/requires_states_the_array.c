// verdict: TRUE
// check: valid-deref
// options: --function fill
// only: QF_ABVFP
// decided-by: bmc k-induction
/*@ requires 0 < n <= 4;
    requires \valid(p + (0 .. n - 1)); */
void fill(int *p, int n) {
  for (int i = 0; i < n; i++) p[i] = i;
}
