// verdict: TRUE
// property: unreach-call
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
extern void reach_error(void);
int main(void) {
  int *p = malloc(8);
  p[0] = 1;
  p[1] = 2;
  p = realloc(p, 12);
  if (p[0] != 1 || p[1] != 2) reach_error();
  p = realloc(p, 4);
  if (p[0] != 1) reach_error();
  return 0;
}
