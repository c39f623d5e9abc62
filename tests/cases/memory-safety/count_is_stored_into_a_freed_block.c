// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  int *n = malloc(sizeof *n);
  free(n);
  printf("text%n\n", n);
  return 0;
}
