// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char c; int i; };
int main(void) {
  struct S a[3] = {[1] = {1, 2}};
  if (((char *)a)[9] == 4) reach_error();
}
