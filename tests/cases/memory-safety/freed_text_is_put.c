// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int puts(const char *);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  char *s = malloc(1);
  s[0] = 0;
  free(s);
  puts(s);
  return 0;
}
