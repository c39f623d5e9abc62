// verdict: UNKNOWN
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void set(int *p) { *p = 1; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = ({ int k = n; { int x; set(&x); if (x) goto end; } end: k; });
  return m;
}
