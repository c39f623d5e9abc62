// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  char *format = malloc(1);
  *format = 0;
  printf(format);
  free(format);
  printf(format);
  return 0;
}
