// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char a; int b; };
struct S any(void);
int main(void) {
  struct S s = any();
  if (((unsigned char *)&s)[1] == 7) reach_error();
}
