// verdict: FALSE(valid-memtrack)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  char *p = malloc(4);
  p = 0;
  return 0;
}
