// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int *p = 0, k = 0;
again:;
  int x = 3;
  if (p) return *p;
  p = &x;
  goto again;
}
