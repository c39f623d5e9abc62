// <string.h> and <strings.h> with the extensions of POSIX, GNU and BSD, in the C locale. Byte by
// byte: simple, and correct for any overlap that the standard allows. Comparisons return the
// difference of the first differing bytes, like glibc; C only specifies its sign.

void *memcpy(void *to, const void *from, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < n; i++) t[i] = f[i];
  return to;
}

void *mempcpy(void *to, const void *from, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < n; i++) t[i] = f[i];
  return t + n;
}

void *memmove(void *to, const void *from, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
  if (t < f) for (size_t i = 0; i < n; i++) t[i] = f[i];
  else for (size_t i = n; i > 0; i--) t[i - 1] = f[i - 1];
  return to;
}

void bcopy(const void *from, void *to, size_t n) {
  memmove(to, from, n);
}

void *memccpy(void *to, const void *from, int c, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < n; i++) {
    t[i] = f[i];
    if (f[i] == (unsigned char)c) return t + i + 1;
  }
  return 0;
}

void *memset(void *to, int c, size_t n) {
  unsigned char *t = to;
  for (size_t i = 0; i < n; i++) t[i] = c;
  return to;
}

void bzero(void *to, size_t n) {
  unsigned char *t = to;
  for (size_t i = 0; i < n; i++) t[i] = 0;
}

void explicit_bzero(void *to, size_t n) {
  bzero(to, n);
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++) if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

int bcmp(const void *a, const void *b, size_t n) {
  return memcmp(a, b, n);
}

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *x = s;
  for (size_t i = 0; i < n; i++) if (x[i] == (unsigned char)c) return (void *)(x + i);
  return 0;
}

void *memrchr(const void *s, int c, size_t n) {
  const unsigned char *x = s;
  for (size_t i = n; i > 0; i--) if (x[i - 1] == (unsigned char)c) return (void *)(x + i - 1);
  return 0;
}

void *rawmemchr(const void *s, int c) {
  const unsigned char *x = s;
  while (*x != (unsigned char)c) x++;
  return (void *)x;
}

void *memmem(const void *s, size_t n, const void *t, size_t m) {
  const unsigned char *x = s, *y = t;
  for (size_t i = 0; m <= n && i <= n - m; i++) {
    size_t k = 0;
    while (k < m && x[i + k] == y[k]) k++;
    if (k == m) return (void *)(x + i);
  }
  return 0;
}

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t strnlen(const char *s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n]) n++;
  return n;
}

char *strcpy(char *to, const char *from) {
  size_t i = 0;
  do { to[i] = from[i]; } while (from[i++]);
  return to;
}

char *stpcpy(char *to, const char *from) {
  size_t i = 0;
  while ((to[i] = from[i])) i++;
  return to + i;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *stpncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (size_t k = i; k < n; k++) to[k] = 0;
  return to + i;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t n = 0;
  while (from[n]) {
    if (n + 1 < size) to[n] = from[n];
    n++;
  }
  if (size) to[n < size ? n : size - 1] = 0;
  return n;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t n = strnlen(to, size);
  if (n == size) return size + strlen(from);
  return n + strlcpy(to + n, from, size - n);
}

char *strcat(char *to, const char *from) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  do { to[n + i] = from[i]; } while (from[i++]);
  return to;
}

char *strncat(char *to, const char *from, size_t limit) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  for (; i < limit && from[i]; i++) to[n + i] = from[i];
  to[n + i] = 0;
  return to;
}

int strcmp(const char *a, const char *b) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  size_t i = 0;
  while (x[i] && x[i] == y[i]) i++;
  return x[i] - y[i];
}

int strncmp(const char *a, const char *b, size_t n) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (size_t i = 0; i < n; i++) {
    if (x[i] != y[i]) return x[i] - y[i];
    if (!x[i]) return 0;
  }
  return 0;
}

int strcoll(const char *a, const char *b) {
  return strcmp(a, b);
}

size_t strxfrm(char *to, const char *from, size_t n) {
  size_t length = strlen(from);
  if (n) strncpy(to, from, n);
  return length;
}

static int folded(unsigned char c) {
  return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int strcasecmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && folded(a[i]) == folded(b[i])) i++;
  return folded(a[i]) - folded(b[i]);
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (folded(a[i]) != folded(b[i])) return folded(a[i]) - folded(b[i]);
    if (!a[i]) return 0;
  }
  return 0;
}

char *strchr(const char *s, int c) {
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c) return (char *)(s + i);
    if (!s[i]) return 0;
  }
}

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) s++;
  return (char *)s;
}

char *index(const char *s, int c) {
  return strchr(s, c);
}

char *strrchr(const char *s, int c) {
  char *found = 0;
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c) found = (char *)(s + i);
    if (!s[i]) return found;
  }
}

char *rindex(const char *s, int c) {
  return strrchr(s, c);
}

char *strstr(const char *s, const char *t) {
  for (size_t i = 0;; i++) {
    size_t k = 0;
    while (t[k] && s[i + k] == t[k]) k++;
    if (!t[k]) return (char *)(s + i);
    if (!s[i]) return 0;
  }
}

char *strcasestr(const char *s, const char *t) {
  for (size_t i = 0;; i++) {
    size_t k = 0;
    while (t[k] && folded(s[i + k]) == folded(t[k])) k++;
    if (!t[k]) return (char *)(s + i);
    if (!s[i]) return 0;
  }
}

static int is_among(char c, const char *set) {
  for (; *set; set++) if (*set == c) return 1;
  return 0;
}

size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && is_among(s[n], set)) n++;
  return n;
}

size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !is_among(s[n], set)) n++;
  return n;
}

char *strpbrk(const char *s, const char *set) {
  for (; *s; s++) if (is_among(*s, set)) return (char *)s;
  return 0;
}

char *strsep(char **rest, const char *set) {
  char *start = *rest;
  if (!start) return 0;
  char *end = start + strcspn(start, set);
  if (*end) {
    *end = 0;
    *rest = end + 1;
  } else {
    *rest = 0;
  }
  return start;
}

char *strtok_r(char *s, const char *set, char **rest) {
  if (!s) s = *rest;
  if (!s) return 0;
  s += strspn(s, set);
  if (!*s) {
    *rest = s;
    return 0;
  }
  char *end = s + strcspn(s, set);
  if (*end) *end++ = 0;
  *rest = end;
  return s;
}

char *__strtok_r(char *s, const char *set, char **rest) {
  return strtok_r(s, set, rest);
}

static char *token_rest;

char *strtok(char *s, const char *set) {
  return strtok_r(s, set, &token_rest);
}

char *strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = malloc(n);
  if (copy) memcpy(copy, s, n);
  return copy;
}

char *__strdup(const char *s) {
  return strdup(s);
}

char *strndup(const char *s, size_t limit) {
  size_t n = strnlen(s, limit);
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

char *__strndup(const char *s, size_t limit) {
  return strndup(s, limit);
}

// The longest message of glibc is shorter than this buffer.
static char error_message[64];
char __approximate_strerror(void);

char *strerror(int number) {
  for (int i = 0; i < 63; i++) error_message[i] = __approximate_strerror();
  return error_message;
}

char *strsignal(int number) {
  return strerror(number);
}

int ffs(int bits) { return __builtin_ffs(bits); }
int ffsl(long bits) { return __builtin_ffsl(bits); }
int ffsll(long long bits) { return __builtin_ffsll(bits); }
