// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
int memcmp(const void *, const void *, unsigned long);
struct pair { int a; short b, c; };
int main(void) {
  struct pair x = {__VERIFIER_nondet_int(), 1, 2}, y = {x.a, 1, __VERIFIER_nondet_short()};
  if (!memcmp(&x, &y, sizeof x) != (y.c == 2)) reach_error();
}
