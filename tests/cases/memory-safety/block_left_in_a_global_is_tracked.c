// verdict: TRUE
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
char *global;
int main(void) {
  global = malloc(4);
  return 0;
}
