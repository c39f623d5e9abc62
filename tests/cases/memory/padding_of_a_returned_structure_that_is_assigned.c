// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char a; int b; };
static struct S make(int b) {
  struct S s;
  s.a = 1;
  s.b = b;
  return s;
}
static struct S s;
int main(void) {
  s = make(5);
  if (s.a == 1 && s.b == 5 && ((unsigned char *)&s)[3] == 7) reach_error();
}
