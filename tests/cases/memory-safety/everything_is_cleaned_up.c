// verdict: TRUE
// property: valid-memcleanup
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
char *global;
int main(void) {
  global = malloc(4);
  free(global);
  return 0;
}
