// verdict: FALSE(valid-free)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int x;
int main(void) {
  free(realloc(&x, 4));
  return 0;
}
