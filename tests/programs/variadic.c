// Variable arguments of all types; lists that are copied, passed on and stored in structures; calls through pointers.
#include <stdarg.h>
#include <stdio.h>

#define SHOW(n) printf("%ld\n", (long)(n))

struct small { char a; short b; };
struct large { int numbers[9]; };
struct floating { double x; float y; };
union either { long number; char bytes[3]; };

static long sum(int count, ...) {
  va_list list;
  long total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) total = total * 3 + va_arg(list, int);
  va_end(list);
  return total;
}

static long typed(const char *format, ...) {
  va_list list;
  long total = 0;
  va_start(list, format);
  for (; *format; format++) {
    long next = 0;
    switch (*format) {
      case 'i': next = va_arg(list, int); break;
      case 'u': next = va_arg(list, unsigned); break;
      case 'l': next = va_arg(list, long); break;
      case 'q': next = va_arg(list, unsigned long long) >> 7; break;
      case 'd': next = va_arg(list, double) == 2.5; break;
      case 'p': next = *va_arg(list, int *); break;
      case 's': next = va_arg(list, char *)[1]; break;
      case 'S': { struct small s = va_arg(list, struct small); next = s.a + 10 * s.b; break; }
      case 'L': next = va_arg(list, struct large).numbers[7]; break;
      case 'F': { struct floating f = va_arg(list, struct floating); next = (f.x == 0.5) + 2 * (f.y == 1.5f); break; }
      case 'U': next = va_arg(list, union either).bytes[1]; break;
    }
    SHOW(next);
    total = total * 7 + next;
  }
  va_end(list);
  return total;
}

// Reads one argument from a list of the caller.
static int take(va_list *list) { return va_arg(*list, int); }

static int pass_on(int count, va_list list) {
  int total = 0;
  while (count--) total = total * 10 + va_arg(list, int);
  return total;
}

static int twice(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  int first = take(&list);
  va_copy(copy, list);
  int all = pass_on(count - 1, list);
  int again = pass_on(count - 1, copy);
  va_end(copy);
  va_end(list);
  return first * 1000000 + all * 1000 + again;
}

struct reader { int left; va_list list; };

static int next(struct reader *reader) { return reader->left-- > 0 ? va_arg(reader->list, int) : -1; }

static int kept(int count, ...) {
  struct reader reader;
  reader.left = count;
  va_start(reader.list, count);
  int total = 0, n;
  while ((n = next(&reader)) >= 0) total += n * n;
  va_end(reader.list);
  return total;
}

static long down(int n, ...) {
  va_list list;
  va_start(list, n);
  long a = va_arg(list, int), b = va_arg(list, long);
  if (n > 0) a += down(n - 1, (int)a + n, b * 2, n);
  a += va_arg(list, int);
  va_end(list);
  return a + b;
}

static long nothing(const char *name, ...) { return name[0]; }

static long (*operations[])(int, ...) = {sum, down};

static struct large made(int first, ...) {
  struct large result = {{0}};
  va_list list;
  va_start(list, first);
  result.numbers[0] = first;
  for (int i = 1; i < 9; i++) result.numbers[i] = va_arg(list, int);
  va_end(list);
  return result;
}

int main(void) {
  int number = 77;
  char c = -3;
  short s = 300;
  float f = 2.5f;
  struct small small = {5, 6};
  struct large large = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
  struct floating floating = {0.5, 1.5f};
  union either either = {.number = 0x010203};
  SHOW(sum(0));
  SHOW(sum(3, 1, 2, 3));
  SHOW(sum(4, c, s, -1, 'x'));
  SHOW(sum(2, (int)sum(1, 4), (int)sum(2, 5, 6)));
  SHOW(typed("iulqdps", -5, 7u, -9L, 1ull << 40, f, &number, "abc"));
  SHOW(typed("SLiFULS", small, large, 3, floating, either, large, small));
  SHOW(twice(4, 1, 2, 3, 4));
  SHOW(kept(3, 2, 3, 4));
  SHOW(down(3, 1, 10L, 7));
  SHOW(nothing("name", 1, 2.0, &number));
  for (int i = 0; i < 2; i++) SHOW(operations[i](2, 11, 22L, 33));
  SHOW(made(1, 2, 3, 4, 5, 6, 7, 8, 9).numbers[8]);
}
