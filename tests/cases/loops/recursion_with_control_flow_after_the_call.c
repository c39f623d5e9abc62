// verdict: FALSE(unreach-call)
void reach_error(void);
int __VERIFIER_nondet_int(void);
int count(int n) {
  int rest = 0;
  if (n > 0)
    rest = count(n - 1);
  if (rest > 1)
    rest = 1;
  return rest + 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 2)
    return 0;
  if (count(n) == 2)
    reach_error();
}
