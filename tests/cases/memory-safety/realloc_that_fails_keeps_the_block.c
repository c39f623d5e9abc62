// verdict: TRUE
// property: unreach-call,valid-memsafety,valid-memcleanup
// options: --malloc-may-fail
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void reach_error(void);
int main(void) {
  int *p = malloc(4);
  if (!p) return 0;
  *p = 7;
  int *q = realloc(p, 8);
  if (q) {
    q[1] = 7;
    p = q;
  }
  if (*p != 7) reach_error();
  free(p);
  return 0;
}
