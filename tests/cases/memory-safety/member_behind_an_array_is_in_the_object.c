// verdict: TRUE
// property: valid-memsafety
struct s { int a[2], b; } x;
int main(void) {
  struct s *p = &x;
  return p->a[2];
}
