// verdict: TRUE
// property: valid-memsafety
struct s { int x, y; };
int main(void) {
  struct s *p = 0;
  int *q = &p->y;
  return q == 0;
}
