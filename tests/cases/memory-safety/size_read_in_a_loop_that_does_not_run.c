// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *malloc(unsigned long);
void free(void *);
int sum(char *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += *p;
  char *end = p + 1;
  return s + *p + (end != 0);
}
int main(void) {
  char *p = malloc(1);
  *p = 1;
  free(p);
  return sum(p, 0);
}
