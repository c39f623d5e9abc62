// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *memset(void *, int, unsigned long);
void *malloc(unsigned long);
void free(void *);
struct pair { int a, b; };
int main(void) {
  struct pair *p = malloc(sizeof *p);
  if (!p) return 0;
  memset(p, 0, sizeof *p + 1);
  free(p);
}
