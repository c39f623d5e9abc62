// Numbers from text, division, sorting and searching.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *texts[] = {
    "", "0", "7", "-7", "+12", "  42x", "\t\n-0019", "0x", "0x1F", "0X1f", "-0xg", "08", "010", "z", "Zz", "- 1", "+-1", "99999999999999999999",
    "-99999999999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "2147483648", "-1", "1e5", "0b101",
};
static const int bases[] = {0, 2, 8, 10, 16, 36};

static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int later(const void *a, const void *b) { return -strcmp(*(char *const *)a, *(char *const *)b); }

#define SHOW(n) printf("%ld\n", (long)(n))

static void farewell(void) { SHOW(1); }
static void nested(void) { SHOW(2); atexit(farewell); }

int main(void) {
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *s = texts[i];
    char *end;
    for (unsigned k = 0; k < sizeof bases / sizeof *bases; k++) {
      // glibc accepts "0b" from C23 on.
      if (strstr(s, "0b") && bases[k] < 8) continue;
      errno = 0;
      SHOW(strtol(s, &end, bases[k]));
      SHOW(end - s + 100 * errno);
      errno = 0;
      SHOW(strtoul(s, &end, bases[k]));
      SHOW(end - s + 100 * errno);
      SHOW(strtoll(s, 0, bases[k]));
      SHOW(strtoull(s, 0, bases[k]));
    }
    SHOW(atoi(s));
    SHOW(atol(s));
    SHOW(atoll(s));
  }
  for (int a = -9; a < 10; a += 3)
    for (int b = -4; b < 5; b++) {
      if (!b) continue;
      div_t d = div(a, b);
      ldiv_t l = ldiv(a * 1000000007L, b);
      lldiv_t q = lldiv(a * 1000000007LL, b);
      SHOW(d.quot * 100 + d.rem);
      SHOW(l.quot + l.rem);
      SHOW(q.quot - q.rem);
      SHOW(abs(a) + labs(b) + llabs(a));
    }
  int numbers[] = {5, -3, 12, 0, 99, -3, 7, 1, 44, 2};
  qsort(numbers, 10, sizeof *numbers, less);
  for (int i = 0; i < 10; i++) SHOW(numbers[i]);
  for (int key = -4; key < 13; key++) {
    int *found = bsearch(&key, numbers, 10, sizeof *numbers, less);
    SHOW(found ? *found : 1000);
  }
  const char *words[] = {"pear", "fig", "apple", "plum", "quince"};
  qsort(words, 5, sizeof *words, later);
  for (int i = 0; i < 5; i++) SHOW(words[i][0] * 256 + words[i][1]);
  int numbers_below = rand() >= 0 && rand() <= RAND_MAX;
  SHOW(numbers_below);
  atexit(farewell);
  atexit(nested);
  exit(0);
}
