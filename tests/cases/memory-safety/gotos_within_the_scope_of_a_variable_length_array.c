// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int *set(int *p) { *p = 1; return p; }
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 1 || n > 3) return 0;
  int a[n];
  int *p = set(a);
again:
  if (i++ < 1) goto again;
  if (*p) goto end;
  set(p);
end:
  return *p;
}
