// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    if (i == 1) goto skip;
    int x = 1;
  skip:
    if (i == 1) return *p;
    p = &x;
  }
  return 0;
}
