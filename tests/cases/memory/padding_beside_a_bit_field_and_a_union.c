// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char c; int i; int b : 3; union { int x; char y; } u; };
int main(void) {
  struct S s = {1, 2, 3, {4}};
  if (s.i != 2 || s.u.x != 4) return 0;
  if (((char *)&s)[1] == 4) reach_error();
}
