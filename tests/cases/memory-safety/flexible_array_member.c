// verdict: TRUE
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
struct s { int n; int a[]; };
int main(void) {
  struct s *p = malloc(sizeof *p + 2 * sizeof(int));
  p->n = 2;
  p->a[1] = 1;
  free(p);
  return 0;
}
