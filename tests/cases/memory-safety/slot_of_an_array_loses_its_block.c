// verdict: FALSE(valid-memtrack)
// property: valid-memsafety
// decided-by: bmc k-induction
void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
void *slots[10];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 10) return 0;
  slots[i] = malloc(4);
  if (i == 7) slots[i] = 0;
  return 0;
}
