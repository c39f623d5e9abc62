// verdict: TRUE
// decided-by: bmc k-induction
extern void reach_error(void);
void keep(int *p);
void touch(void);
struct pair { int a; char b[4]; };
static void inner(void) { touch(); }
static int own(int n) {
  struct pair pair = { n, "abc" };
  touch();
  keep(&pair.a);
  return n;
}
int main(void) {
  int x = 2, y = 3;
  inner();
  if (x != 2 || own(y) != 3 || y != 3) reach_error();
  keep(&x);
  inner();
  if (y != 3) reach_error();
  return 0;
}
