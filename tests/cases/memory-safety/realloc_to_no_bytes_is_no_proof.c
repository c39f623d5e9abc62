// verdict: UNKNOWN
// property: valid-memsafety
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  char *p = malloc(4);
  char *q = realloc(p, __VERIFIER_nondet_uchar());
  free(q);
  return 0;
}
