// verdict: FALSE(null)
// check: null
void *memcpy(void *, const void *, unsigned long);
void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
int n;
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &n : 0, m = 1;
  memcpy(&n, &m, sizeof n);
  memcpy(p, &m, sizeof m);
}
