// verdict: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *memmove(void *, const void *, unsigned long);
int main(void) {
  short a[4] = {1, 2, 3, 4};
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 3) return 0;
  memmove(a + 1, a, k * sizeof *a);
  for (unsigned i = 0; i < 4; i++) if (a[i] != (i == 0 || i > k ? i + 1 : i)) reach_error();
  memmove(a, a + 1, k * sizeof *a);
  for (unsigned i = 0; i < k; i++) if (a[i] != i + 1) reach_error();
}
