// verdict: FALSE(valid-deref)
// property: valid-memsafety
int x;
int main(void) {
  int *p;
  if (&x == 0) p = &x;
  *p = 1;
  return 0;
}
