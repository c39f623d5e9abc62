// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void set(int *p) { *p = 1; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  set(&n);
  int m = ({ int k = n; if (k > 3) goto end; k = 3; end: k; });
  return n + m;
}
