// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(8);
  p += 1;
  p[-1] = 1;
  p[-2] = 1;
  return 0;
}
