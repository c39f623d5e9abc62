// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 4) return 0;
  char *p = malloc(n);
  for (int i = 0; i < n; i++) p[i] = i;
  free(p);
  return 0;
}
