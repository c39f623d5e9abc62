// verdict: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *memset(void *, int, unsigned long);
void bcopy(const void *, void *, unsigned long);
int main(void) {
  short a[3] = {7, 7, 7}, b[3] = {9, 9, 9};
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 3) return 0;
  memset(a, 0x1fe, k * sizeof *a);
  bcopy(a, b, k * sizeof *b);
  for (unsigned i = 0; i < 3; i++) {
    if (a[i] != (i < k ? -258 : 7)) reach_error();
    if (b[i] != (i < k ? -258 : 9)) reach_error();
  }
}
