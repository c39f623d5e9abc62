// verdict: TRUE
// property: valid-memsafety
extern unsigned __VERIFIER_nondet_uint(void);
void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
int a[3], b[3];
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 3) return 0;
  memcpy(a, b, k * sizeof *a);
  memmove(a, b, k * sizeof *a);
}
