// verdict: TRUE
// options: --function f
extern void reach_error(void);
struct S { char a; int b; };
void f(struct S s) {
  struct S *p = &s, t = s;
  p->a = 1;
  if (p->a != 1 || p->b != t.b) reach_error();
}
