// verdict: TRUE
// property: valid-memsafety
extern unsigned __VERIFIER_nondet_uint(void);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int a[2];
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 2) return 0;
  int *to = k ? a : 0;
  memset(to, 1, k * sizeof *to);
  memcpy(to, to, k * sizeof *to);
}
