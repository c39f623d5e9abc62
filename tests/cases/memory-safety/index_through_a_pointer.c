// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int a[4], b[4];
int get(int *p, int i) { return p[i]; }
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  return get(b, i) + get(a, i);
}
