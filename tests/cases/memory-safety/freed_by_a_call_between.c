// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void free(void *);
void release(int **p) { free(*p); }
int twice(int *p, int c) {
  int sum = *p;
  if (c)
    release(&p);
  return sum + *p;
}
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 0;
  return twice(p, 1);
}
