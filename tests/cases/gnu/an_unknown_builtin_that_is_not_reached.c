// verdict: TRUE
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 3 && x < 2) {
    __builtin_no_such_function(x);
    int y = __builtin_other(x) + 1;
    *(int *)__builtin_pointer(y) = !__atomic_load_4(&x, 0);
    reach_error();
  }
  return 0;
}
