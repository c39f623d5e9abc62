// verdict: FALSE(uninit)
// check: uninit
int main(void) {
  int i = 0, r = 0;
L:
  if (i == 1) goto in;
  {
    int x;
    x = 5;
  in:
    r = x;
  }
  if (i++ == 0) goto L;
  return r;
}
