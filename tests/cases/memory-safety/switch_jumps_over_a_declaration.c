// verdict: TRUE
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
void set(int *p) { *p = 1; }
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    int x;
  case 1:
    set(&x);
    return x - 1;
  default:
    set(&x);
  }
  return 0;
}
