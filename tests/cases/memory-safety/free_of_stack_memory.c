// verdict: FALSE(valid-free)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  free(__builtin_alloca(4));
  return 0;
}
