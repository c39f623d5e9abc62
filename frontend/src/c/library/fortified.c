// The functions that gcc calls under `_FORTIFY_SOURCE`: the plain functions, which call `abort` if
// the object is known to be too small.

static void check(int fits) {
  if (!fits) abort();
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
  check(n <= size);
  return memcpy(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
  check(n <= size);
  return mempcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
  check(n <= size);
  return memmove(to, from, n);
}

void *__memset_chk(void *to, int c, size_t n, size_t size) {
  check(n <= size);
  return memset(to, c, n);
}

char *__strcpy_chk(char *to, const char *from, size_t size) {
  check(strlen(from) < size);
  return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
  check(strlen(from) < size);
  return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
  check(n <= size);
  return strncpy(to, from, n);
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size) {
  check(n <= size);
  return stpncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t size) {
  check(strlen(to) + strlen(from) < size);
  return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
  check(strlen(to) + strnlen(from, n) < size);
  return strncat(to, from, n);
}
