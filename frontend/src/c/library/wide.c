// Functions of <wchar.h> and <wctype.h>: exact in the C locale for characters of ASCII; case
// conversions of other characters are over-approximated.

unsigned __approximate_towupper(void);
unsigned __approximate_towlower(void);

size_t wcslen(const int *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

int iswdigit(unsigned c) {
  return c >= '0' && c <= '9';
}

unsigned towupper(unsigned c) {
  if (c >= 128 && c != -1u) return __approximate_towupper();
  return c >= 'a' && c <= 'z' ? c - 32 : c;
}

unsigned towlower(unsigned c) {
  if (c >= 128 && c != -1u) return __approximate_towlower();
  return c >= 'A' && c <= 'Z' ? c + 32 : c;
}
