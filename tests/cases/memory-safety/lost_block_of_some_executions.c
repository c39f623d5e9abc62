// verdict: FALSE(valid-memtrack)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  char *p = malloc(4);
  if (__VERIFIER_nondet_int() != 7) free(p);
  return 0;
}
