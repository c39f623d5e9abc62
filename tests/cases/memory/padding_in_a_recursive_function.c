// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char c; int i; };
static int f(int n) {
  struct S s = {n, n}, *p = &s;
  if (n > 0) return f(n - 1) + p->i;
  return ((char *)p)[2];
}
int main(void) { if (f(3) == 16) reach_error(); }
