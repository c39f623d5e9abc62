// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(4), *q = p;
  free(p);
  p = malloc(4);
  *q = 1;
  free(p);
  return 0;
}
