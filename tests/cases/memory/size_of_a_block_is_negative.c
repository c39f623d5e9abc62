// verdict: UNKNOWN
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  char *block = malloc(n);
  for (int i = 0; i < 2; i++) {
    if (n > 0) block[0] = 1;
    sum = n;
  }
  if (sum == -1) reach_error();
  return 0;
}
