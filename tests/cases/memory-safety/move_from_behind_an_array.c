// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern unsigned __VERIFIER_nondet_uint(void);
void *memmove(void *, const void *, unsigned long);
int a[3];
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 3) return 0;
  memmove(a, a + 1, k * sizeof *a);
}
