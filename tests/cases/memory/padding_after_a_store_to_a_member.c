// verdict: TRUE
extern void reach_error(void);
struct S { char c; int i; };
int main(void) {
  struct S s;
  ((char *)&s)[1] = 5;
  s.c = 1;
  s.i = 2;
  if (((char *)&s)[1] != 5) reach_error();
}
