// verdict: FALSE(unreach-call)
// options: --function length --argument s=string:4
// property: unreach-call
// only: QF_ABVFP
// decided-by: bmc
void reach_error(void);
unsigned long length(const char *s) {
  unsigned long n = 0;
  while (s[n]) n++;
  if (n == 3) reach_error();
  return n;
}
