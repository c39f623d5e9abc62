// verdict: FALSE(valid-deref)
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
int main(void) { return sum(3, 1, 2); }
