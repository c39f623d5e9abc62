// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *memmove(void *, const void *, unsigned long);
int main(void) {
  int a[4], x = __VERIFIER_nondet_int();
  for (int i = 0; i < 4; i++) a[i] = x + i;
  memmove(a + 1, a, 3 * sizeof *a);
  if (a[0] != x || a[1] != x || a[3] != x + 2) reach_error();
}
