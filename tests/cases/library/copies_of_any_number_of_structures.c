// verdict: TRUE
// Structures with pointers, of which 2 are copied at most.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *memcpy(void *, const void *, unsigned long);
struct item { int *at; int number; };
int main(void) {
  int x = 5, y = 6;
  struct item a[2] = {{&x, 5}, {&y, 6}}, b[2] = {{0, 1}, {0, 2}};
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 2) return 0;
  memcpy(b, a, k * sizeof *a);
  for (unsigned i = 0; i < k; i++) if (*b[i].at != b[i].number) reach_error();
  for (unsigned i = k; i < 2; i++) if (b[i].at || b[i].number != i + 1) reach_error();
}
