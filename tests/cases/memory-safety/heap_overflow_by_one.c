// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(10 * sizeof(int));
  for (int i = 0; i <= 10; i++) p[i] = i;
  free(p);
  return 0;
}
