// verdict: TRUE
// property: valid-memsafety
extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  int *n = malloc(sizeof *n);
  printf("text%n\n", n);
  int a[5];
  a[*n] = 0;
  free(n);
  return 0;
}
