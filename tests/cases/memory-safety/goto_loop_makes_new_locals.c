// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p = 0, n = 0;
again:
  {
    int x = n;
    if (n == 1) return *p;
    p = &x;
  }
  n++;
  goto again;
}
