// verdict: TRUE
// property: valid-memsafety
typedef struct stream FILE;
extern FILE *stderr;
extern int fprintf(FILE *, const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  char *s = malloc(1);
  free(s);
  fprintf(stderr, "%5d%% at %p\n", 7, (void *)s);
  return 0;
}
