// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char c; int i; };
int main(void) {
  struct S b[300] = {[2 ... 4] = {1, 2}};
  if (((char *)b)[8 * 3 + 1] == 9) reach_error();
}
