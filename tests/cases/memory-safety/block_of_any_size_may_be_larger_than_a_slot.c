// verdict: UNKNOWN
// property: valid-memsafety
// options: --data-model ILP32
unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned);
void free(void *);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  char *block = malloc(n);
  int *p = 0;
  if (n > 3000000) *p = 1;
  free(block);
  return 0;
}
