// verdict: FALSE(unreach-call)
void reach_error(void);
extern long __VERIFIER_nondet_long(void);
int main(void) {
  long x = __VERIFIER_nondet_long();
  if (__builtin_speculation_safe_value(x) != x) return 0;
  if (__builtin_speculation_safe_value(x, 0L) > 2147483647) reach_error();
  return 0;
}
