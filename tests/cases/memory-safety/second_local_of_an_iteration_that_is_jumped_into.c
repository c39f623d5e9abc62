// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int *set(int *p) { *p = 1; return p; }
int main(void) {
  int *p = 0, i = 0;
  if (__VERIFIER_nondet_int()) goto inside;
  while (i < 2) {
    int x, y;
  inside:
    set(&x);
    if (p) return *p;
    p = set(&y);
    i++;
  }
  return 0;
}
