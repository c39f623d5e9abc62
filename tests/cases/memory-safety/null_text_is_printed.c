// verdict: UNKNOWN
// property: valid-memsafety
extern int printf(const char *, ...);
int main(void) {
  char *s = 0;
  printf("%s\n", s);
  return 0;
}
