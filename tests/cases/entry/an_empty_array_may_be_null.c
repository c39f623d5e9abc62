// verdict: FALSE(unreach-call)
// options: --function first
// only: QF_ABVFP
void reach_error(void);
__attribute__((access(read_only, 1, 2))) int first(const int *b, unsigned n);
int first(const int *b, unsigned n) {
  if (!b && n == 0) reach_error();
  return 0;
}
