// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
struct s { int x, y; } object;
int main(void) {
  struct s *p = __VERIFIER_nondet_int() ? &object : 0;
  return p->y;
}
