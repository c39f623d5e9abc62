// verdict: TRUE
// property: valid-memsafety
extern int puts(const char *);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  char *s = malloc(2);
  s[0] = 'a';
  s[1] = 0;
  puts(s);
  puts("done");
  free(s);
  return 0;
}
