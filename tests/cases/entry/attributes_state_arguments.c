// verdict: TRUE
// options: --function first
// only: QF_ABVFP
void reach_error(void);
__attribute__((nonnull(1), access(read_only, 2, 3)))
int first(const int *a, const int *b, unsigned n, int c[static 2], int d[3]) {
  if (!a || !c) reach_error();
  if (!b && n > 0) reach_error();
  return *a + (n ? b[n - 1] : 0) + c[1];
}
