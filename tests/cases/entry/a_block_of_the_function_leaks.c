// verdict: FALSE(valid-memcleanup)
// options: --function keep
// property: valid-memcleanup
// only: QF_ABVFP
// decided-by: bmc
void *malloc(unsigned long);
void keep(char *p) {
  char *q = malloc(3);
  if (p) p[0] = q[0];
}
