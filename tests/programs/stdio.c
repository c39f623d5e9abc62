// Formatted output into strings, and input from strings.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOW(n) printf("%ld\n", (long)(n))

static char buffer[200];

static void show(int length) {
  unsigned long h = 5381;
  SHOW(length);
  for (size_t i = 0; i < sizeof buffer; i++) h = h * 33 + (unsigned char)buffer[i];
  SHOW(h & 0x7fffffff);
  memset(buffer, '#', sizeof buffer);
}

static const char *flags[] = {"", "-", "0", "+", " ", "#", "-#", "0#", "+0", "- 0"};
static const char *widths[] = {"", "1", "5", "12"};
static const char *precisions[] = {"", ".", ".0", ".3", ".9"};
static const long numbers[] = {0, 1, -1, 7, 42, -300, 65535, 2147483647, -2147483647 - 1L, 1L << 40};

int main(void) {
  char format[32];
  for (unsigned f = 0; f < sizeof flags / sizeof *flags; f++)
    for (unsigned w = 0; w < 4; w++)
      for (unsigned p = 0; p < 5; p++) {
        unsigned k = (f * 7 + w * 3 + p) % 10;
        for (const char *c = "diuoxX"; *c; c++) {
          if (*c != 'd' && strpbrk(flags[f], "+ ")) continue;
          sprintf(format, "<%%%s%s%s%c>", flags[f], widths[w], precisions[p], *c);
          show(sprintf(buffer, format, (int)numbers[k]));
          show(sprintf(buffer, format, (int)numbers[(k + 3) % 10]));
          sprintf(format, "%%%s%s%sl%c", flags[f], widths[w], precisions[p], *c);
          show(snprintf(buffer, 10, format, numbers[k]));
        }
        if (f < 2) {
          sprintf(format, "%%%s%s%ss|%%%s%sc", flags[f], widths[w], precisions[p], flags[f], widths[w]);
          show(sprintf(buffer, format, "Hello, world", 'x'));
        }
      }
  show(snprintf(buffer, 0, "%d", 123456));
  show(snprintf(buffer, 1, "%d", 123456));
  show(snprintf(buffer, 4, "%d", 123456));
  show(sprintf(buffer, "%hhd %hd %hhu %hu %lld %llx %zu %td %jd", 300, 70000, -1, -1, -5LL, 1ULL << 60, (size_t)9, (long)-9, 77L));
  show(sprintf(buffer, "%*d|%-*d|%.*s|%*s", 6, 42, 6, 42, 2, "abc", -5, "x"));
  show(sprintf(buffer, "%% %s %p %5p", (char *)0, (void *)0, (void *)0));
  int written = 0;
  show(sprintf(buffer, "abc%n%d", &written, 5));
  SHOW(written);
  char *made;
  show(asprintf(&made, "%s-%d", "made", 17));
  SHOW(strcmp(made, "made-17"));
  free(made);
  int length = printf("%s", "");
  SHOW(length);

  int a = -1, b = -1, c = -1;
  unsigned u = 9;
  long l = 0;
  short s = 0;
  char text[20] = "", letter = 0, pair[2];
  SHOW(sscanf("12 -34 +5", "%d%d %d", &a, &b, &c));
  SHOW(a * 10000 + b * 100 + c);
  SHOW(sscanf("0x1f 077 10", "%i %i %i", &a, &b, &c));
  SHOW(a * 10000 + b * 100 + c);
  SHOW(sscanf("ff 17 12345", "%x %o %2d", &u, &b, &c));
  SHOW(u * 10000 + b * 100 + c);
  SHOW(sscanf("  word, x", "%[a-z ],%c", text, &letter));
  SHOW(strlen(text) * 1000 + letter);
  SHOW(sscanf("key=value", "%[^=]=%s", text, buffer));
  SHOW(strcmp(text, "key") * 10 + strcmp(buffer, "value"));
  SHOW(sscanf("abc", "%2s%c", text, &letter));
  SHOW(strlen(text) * 1000 + letter);
  SHOW(sscanf("7:8", "%d:%hd%n", &a, &s, &c));
  SHOW(a * 100 + s * 10 + c);
  SHOW(sscanf("1 2 3", "%*d %ld %2c", &l, pair));
  SHOW(l);
  SHOW(sscanf("", "%d", &a));
  SHOW(sscanf("x", "%d", &a));
  SHOW(sscanf("5x", "%d%d", &a, &b));
  SHOW(sscanf("5", "%d%d", &a, &b));
  SHOW(sscanf("50%", "%d%%", &a));
  SHOW(sscanf("a b", "a b%d", &a));
  SHOW(sscanf("- 5", "%d", &a));
  SHOW(sscanf("99999999999", "%d", &a));
  SHOW(sscanf("12abc", "%3d%s", &a, text));
  SHOW(a * 10 + strcmp(text, "abc"));
}
