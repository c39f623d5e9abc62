// verdict: TRUE
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int sprintf(char *, const char *, ...);
extern inline __attribute__((gnu_inline, artificial)) int sprintf(char *s, const char *format, ...) {
  return __builtin___sprintf_chk(s, 0, 10, format, __builtin_va_arg_pack());
}
int main(void) {
  char text[10];
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 9) return 0;
  if (sprintf(text, "%d", x) != 1 || text[0] != '0' + x) reach_error();
  return 0;
}
