// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern unsigned __VERIFIER_nondet_uint(void);
void *memset(void *, int, unsigned long);
int main(void) {
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 1) return 0;
  int *to = 0;
  memset(to, 1, k * sizeof *to);
}
