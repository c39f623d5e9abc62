// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int n = 0, *p = 0;
again:
  if (n > 0) goto in;
  while (n < 1) {
    int x = 0;
  in:
    if (n > 0) return *p;
    p = &x;
    n++;
  }
  goto again;
}
