// verdict: TRUE
extern void reach_error(void);
struct S { char a; int b; };
static struct S make(int b) { return (struct S){1, b}; }
static int sum(const struct S *s) { return s->a + s->b; }
static struct S s;
int main(void) {
  s = make(5);
  struct S t = make(6), *p = &t;
  *p = s;
  if (sum(p) != 6 || sum(&s) != 6) reach_error();
}
