// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = ({ int k = n; if (k > 3) goto end; k = 3; end: k; });
  return m;
}
