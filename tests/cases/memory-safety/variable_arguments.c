// verdict: TRUE
// property: valid-memsafety
#include <stdarg.h>
int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int result = 0;
  for (int i = 0; i < n; i++) result += va_arg(list, int);
  va_end(list);
  return result;
}
int main(void) {
  int x = sum(2, 1, 2);
  return x + sum(1, 3) - 6;
}
