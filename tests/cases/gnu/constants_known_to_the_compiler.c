// verdict: TRUE
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
unsigned long strlen(const char *);
int global;
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (!__builtin_constant_p("abc") || !__builtin_constant_p((char *)0)) reach_error();
  if (!__builtin_constant_p((const void *)"abc") || !__builtin_constant_p(&"abc"[0])) reach_error();
  if (!__builtin_constant_p(__builtin_strlen("abc")) || !__builtin_constant_p(strlen("abc") + 1))
    reach_error();
  if (!__builtin_constant_p(__builtin_clz(5)) || !__builtin_constant_p(-__builtin_popcount(5)))
    reach_error();
  if (__builtin_constant_p("abc" + 1) || __builtin_constant_p(&"abc"[1])) reach_error();
  if (__builtin_constant_p(&global) || __builtin_constant_p(main) || __builtin_constant_p(x)) reach_error();
  return 0;
}
