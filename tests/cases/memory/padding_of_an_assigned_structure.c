// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char c; int i; };
int main(void) {
  struct S s, t;
  ((char *)&s)[1] = 1;
  ((char *)&t)[1] = 5;
  t.c = t.i = 2;
  s = t;
  if (s.i == 2 && ((char *)&s)[1] == 5) reach_error();
}
