// verdict: TRUE
typedef __builtin_va_list va_list;
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int sum(int count, ...) {
  va_list list;
  int total = 0;
  __builtin_va_start(list, count);
  for (int i = 0; i < count; i++) total += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return total;
}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (sum(3, a, b, -a) != b) reach_error();
}
