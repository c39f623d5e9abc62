// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(8), *q = realloc(p, 4);
  q[1] = 1;
  free(q);
  return 0;
}
