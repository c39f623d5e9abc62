// verdict: TRUE
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int magnitude(int) __asm__("abs");
unsigned long length(const char *) __asm__("strlen");
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > -100 && magnitude(x) < 0) reach_error();
  if (length("abc") != 3) reach_error();
  return 0;
}
