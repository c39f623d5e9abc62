// verdict: FALSE(unreach-call)
// options: --function entry
// only: QF_ABVFP
void reach_error(void) {}
struct pair { int a, b; };
int entry(const int *p, unsigned n, struct pair v) {
  if (p && n == 0 && p[n] == v.b && v.a == 3) reach_error();
  return 0;
}
