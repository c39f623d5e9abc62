// verdict: TRUE
// decided-by: bmc k-induction predicate impact
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void stop(void) {
  for (;;)
    ;
}
int main(void) {
  int c = __VERIFIER_nondet_int();
  unsigned count = 0, one = 1;
  if (!c) {
  L:
    goto L;
  }
  if (c == 1)
    while (1)
      ;
  if (c == 2)
    do {
      count++;
    } while (one);
  if (c == 3) stop();
  if (c >= 0 && c < 4) reach_error();
  return 0;
}
