// verdict: UNKNOWN
// property: valid-memsafety
unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void free(void *);
int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  char *block = malloc(n);
  int *p = 0;
  if (n > 1UL << 41) *p = 1;
  free(block);
  return 0;
}
