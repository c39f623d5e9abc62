// verdict: UNKNOWN
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x) x = 1;
  if ((x <= 1 ? 5 : __builtin_no_such_function(x)) / 2 == 2) reach_error();
  return 0;
}
