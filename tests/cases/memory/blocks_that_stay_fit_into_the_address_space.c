// verdict: TRUE
// options: --data-model ILP32
// decided-by: k-induction
void *malloc(unsigned);
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned count = 0;
  while (__VERIFIER_nondet_int()) {
    char *block = malloc(1048576);
    *block = 1;
    count++;
  }
  if (count > 4096) reach_error();
  return 0;
}
