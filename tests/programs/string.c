// Functions of <string.h> on all pairs of some strings.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *texts[] = {"", "a", "b", "ab", "aB", "abc", "abcabc", "bca", "cab cab", "\377x", "x\377", "aaab", "Hello, world"};
enum { COUNT = sizeof texts / sizeof *texts };

static long sign(long n) { return n > 0 ? 1 : n < 0 ? -1 : 0; }

static long hash(const char *bytes, size_t n) {
  unsigned long h = 5381;
  for (size_t i = 0; i < n; i++) h = h * 33 + (unsigned char)bytes[i];
  return (long)(h & 0x7fffffff);
}

static long place(const void *at, const void *start) { return at ? (const char *)at - (const char *)start : -1; }

#define SHOW(n) printf("%ld\n", (long)(n))

int main(void) {
  char buffer[64];
  for (int i = 0; i < COUNT; i++) {
    const char *s = texts[i];
    SHOW(strlen(s));
    for (size_t n = 0; n < 8; n += 3) {
      SHOW(strnlen(s, n));
      memset(buffer, '#', sizeof buffer);
      SHOW(place(strncpy(buffer, s, n), buffer));
      SHOW(hash(buffer, 64));
      SHOW(place(stpncpy(buffer, s, n), buffer));
      SHOW(hash(buffer, 64));
      char *copy = strndup(s, n);
      SHOW(hash(copy, strlen(copy) + 1));
      free(copy);
    }
    memset(buffer, '#', sizeof buffer);
    SHOW(place(strcpy(buffer, s), buffer));
    SHOW(hash(buffer, 64));
    SHOW(place(stpcpy(buffer, s), buffer));
    SHOW(hash(buffer, 64));
    char *copy = strdup(s);
    SHOW(strcmp(copy, s));
    free(copy);
    for (int c = 0; c < 256; c += c == 'c' ? 1 : c >= 'a' && c < 'c' ? 1 : 97) {
      SHOW(place(strchr(s, c), s));
      SHOW(place(strrchr(s, c), s));
      SHOW(place(strchrnul(s, c), s));
      SHOW(place(memchr(s, c, strlen(s)), s));
      SHOW(place(memrchr(s, c, strlen(s)), s));
      SHOW(place(index(s, c), s));
      SHOW(place(rindex(s, c), s));
      memset(buffer, 0, sizeof buffer);
      SHOW(place(memccpy(buffer, s, c, strlen(s) + 1), buffer));
      SHOW(hash(buffer, 64));
    }
    for (int j = 0; j < COUNT; j++) {
      const char *t = texts[j];
      SHOW(sign(strcmp(s, t)));
      SHOW(sign(strcoll(s, t)));
      SHOW(sign(strncmp(s, t, 2)));
      SHOW(sign(strcasecmp(s, t)));
      SHOW(sign(strncasecmp(s, t, 2)));
      SHOW(strspn(s, t));
      SHOW(strcspn(s, t));
      SHOW(place(strpbrk(s, t), s));
      SHOW(place(strstr(s, t), s));
      SHOW(place(strcasestr(s, t), s));
      SHOW(place(memmem(s, strlen(s), t, strlen(t)), s));
      size_t shorter = strlen(s) < strlen(t) ? strlen(s) : strlen(t);
      SHOW(sign(memcmp(s, t, shorter)));
      memset(buffer, 0, sizeof buffer);
      strcpy(buffer, s);
      SHOW(place(strcat(buffer, t), buffer));
      SHOW(hash(buffer, 64));
      SHOW(place(strncat(buffer, t, 2), buffer));
      SHOW(hash(buffer, 64));
      strcpy(buffer, s);
      for (char *token = strtok(buffer, t); token; token = strtok(0, t)) SHOW(place(token, buffer));
      SHOW(hash(buffer, 64));
      strcpy(buffer, s);
      char *rest = buffer;
      for (char *token = strsep(&rest, t); token; token = strsep(&rest, t)) SHOW(place(token, buffer));
      SHOW(hash(buffer, 64));
    }
  }
  for (int from = 0; from < 8; from++)
    for (int to = 0; to < 8; to++)
      for (size_t n = 0; n < 9; n += 4) {
        for (int i = 0; i < 64; i++) buffer[i] = (char)i;
        SHOW(place(memmove(buffer + to, buffer + from, n), buffer));
        SHOW(hash(buffer, 64));
        SHOW(place(mempcpy(buffer + 32 + to, buffer + from, n), buffer));
        SHOW(hash(buffer, 64));
      }
}
