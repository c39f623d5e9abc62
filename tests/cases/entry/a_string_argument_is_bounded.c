// verdict: TRUE
// options: --function length --argument s=string:4
// only: QF_ABVFP
// decided-by: bmc k-induction
// check: valid-deref
void reach_error(void);
unsigned long length(const char *s) {
  unsigned long n = 0;
  while (s[n]) n++;
  if (n > 3) reach_error();
  return n;
}
