// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int *p = 0, n = 0;
again:
  n++;
  int x = n;
  p = &x;
  if (n < 3) goto again;
  return *p - 3;
}
