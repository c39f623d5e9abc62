// verdict: FALSE(unreach-call)
extern void reach_error(void);
int main(void) {
  int i = 0;
L:
  if (i) goto in;
  {
    int x;
    int *p = &x;
    *p = 5;
  in:
    if (*(&x) != 5) reach_error();
  }
  if (!i++) goto L;
  return 0;
}
