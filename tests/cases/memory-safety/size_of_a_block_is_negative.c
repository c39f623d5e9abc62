// verdict: UNKNOWN
// property: valid-memsafety
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
int main(void) {
  int n = __VERIFIER_nondet_int();
  char *block = malloc(n);
  int *p = 0;
  if (n < 0) *p = 1;
  free(block);
  return 0;
}
