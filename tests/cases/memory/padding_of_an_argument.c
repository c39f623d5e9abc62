// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char c; int i; };
static void f(struct S s) { if (s.i == 2 && ((char *)&s)[3] == 5) reach_error(); }
int main(void) {
  struct S s;
  s.c = s.i = 2;
  f(s);
}
