// verdict: FALSE(unreach-call)
typedef __builtin_va_list va_list;
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int second(va_list list) { __builtin_va_arg(list, int); return *__builtin_va_arg(list, int *); }
int first(int count, ...) {
  va_list list;
  __builtin_va_start(list, count);
  return second(list) == 17;
}
int none(int count, ...) { return 0; }
int (*functions[2])(int, ...) = {none, first};
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (functions[n & 1](2, 4, &n)) reach_error();
}
