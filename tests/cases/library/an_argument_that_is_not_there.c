// verdict: FALSE(valid-deref)
// property: valid-memsafety
typedef __builtin_va_list va_list;
static int second(int first, ...) {
  va_list list;
  __builtin_va_start(list, first);
  int n = __builtin_va_arg(list, int);
  return n + __builtin_va_arg(list, int);
}
int main(void) { return second(1, 2); }
