// verdict: FALSE(valid-memcleanup)
// property: valid-memcleanup
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void exit(int);
int main(void) {
  char *p = malloc(4);
  if (p) exit(0);
  free(p);
  return 0;
}
