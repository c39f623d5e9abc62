// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int *q = ({
      int x = i;
      if (i == 1) return *p;
      &x;
    });
    p = q;
  }
  return 0;
}
