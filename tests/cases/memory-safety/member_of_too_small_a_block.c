// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
struct s { int a, b; };
int main(void) {
  struct s *p = malloc(sizeof(int));
  p->a = 1;
  p->b = 1;
  free(p);
  return 0;
}
