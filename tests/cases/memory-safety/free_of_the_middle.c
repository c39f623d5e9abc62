// verdict: FALSE(valid-free)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  char *p = malloc(4);
  free(p + 1);
  return 0;
}
