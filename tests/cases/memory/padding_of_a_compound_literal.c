// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct S { char c; int i; };
static int padding(int x) {
  struct S *p = &(struct S){x, x};
  return ((char *)p)[2];
}
int main(void) { if (padding(3)) reach_error(); }
