// verdict: FALSE(unreach-call)
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *memmove(void *, const void *, unsigned long);
int main(void) {
  short a[4] = {1, 2, 3, 4};
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 3) return 0;
  memmove(a + 1, a, k * sizeof *a);
  if (a[3] != 3) reach_error();
}
