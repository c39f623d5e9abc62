// verdict: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { char c; int i; };
int main(void) {
  int x = __VERIFIER_nondet_int();
  struct S s = {x, x};
  if (((unsigned char *)&s)[2] != 0) reach_error();
}
