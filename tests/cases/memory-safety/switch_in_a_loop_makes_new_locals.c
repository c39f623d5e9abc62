// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    switch (i) {
      int x;
      case 0:
        x = 1;
        p = &x;
        break;
      case 1:
        x = 2;
        return *p;
    }
  }
  return 0;
}
