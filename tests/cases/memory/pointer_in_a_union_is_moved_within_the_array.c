// verdict: TRUE
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  char a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  union { char *p; unsigned long u; } v = {a + 4};
  unsigned long n = __VERIFIER_nondet_ulong();
  if (n > 3) return 0;
  v.u -= n;
  if (*v.p < 2 || *v.p > 5) reach_error();
  return 0;
}
