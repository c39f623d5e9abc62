// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void free(void *);
void *memset(void *, int, unsigned long);
int main(void) {
  int *p = malloc(8);
  free(p);
  memset(p, 0, 8);
  return 0;
}
