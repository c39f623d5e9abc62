// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern unsigned __VERIFIER_nondet_uint(void);
void *memcpy(void *, const void *, unsigned long);
int a[3], b[4];
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 4) return 0;
  memcpy(a, b, k * sizeof *a);
}
