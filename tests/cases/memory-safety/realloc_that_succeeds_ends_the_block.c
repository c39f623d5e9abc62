// verdict: FALSE(valid-deref)
// property: valid-memsafety
// options: --malloc-may-fail
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(4);
  if (!p) return 0;
  int *q = realloc(p, 8);
  if (!q) {
    free(p);
    return 0;
  }
  *p = 7;
  free(q);
  return 0;
}
