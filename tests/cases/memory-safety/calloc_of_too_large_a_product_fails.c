// verdict: TRUE
// property: unreach-call,valid-memsafety
// only: QF_ABVFP,QF_UFBVFP
void *calloc(unsigned long, unsigned long);
void free(void *);
void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  if (n != 3 && n != 1ul << 61) return 0;
  long *p = calloc(n, sizeof *p);
  if ((p == 0) != (n != 3)) reach_error();
  if (p) p[2] = 1;
  free(p);
  return 0;
}
