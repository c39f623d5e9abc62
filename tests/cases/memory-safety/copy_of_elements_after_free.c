// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
int main(void) {
  int a[2] = {1, 2}, *from = malloc(2 * sizeof *from);
  unsigned k = __VERIFIER_nondet_uint();
  free(from);
  if (k > 2) return 0;
  memcpy(a, from, k * sizeof *a);
}
