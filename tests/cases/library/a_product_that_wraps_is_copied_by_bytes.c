// verdict: TRUE
// The size is 5, a product with 3 that wraps around.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *memcpy(void *, const void *, unsigned long);
struct triple { unsigned char c[3]; };
int main(void) {
  struct triple a[2] = {{{1, 2, 3}}, {{4, 5, 6}}}, b[2] = {{{0, 0, 0}}, {{0, 0, 0}}};
  unsigned long n = __VERIFIER_nondet_ulong();
  if (n * sizeof(struct triple) != 5) return 0;
  memcpy(b, a, n * sizeof(struct triple));
  if (b[0].c[2] != 3 || b[1].c[1] != 5 || b[1].c[2] != 0) reach_error();
}
