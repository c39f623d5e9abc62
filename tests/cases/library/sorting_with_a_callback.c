// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
int order(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}
int main(void) {
  int a[2];
  for (int i = 0; i < 2; i++) a[i] = __VERIFIER_nondet_int();
  qsort(a, 2, sizeof *a, order);
  if (a[0] > a[1]) reach_error();
}
