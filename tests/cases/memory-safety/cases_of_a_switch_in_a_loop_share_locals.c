// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int *p = 0;
    switch (i) {
      int x;
      case 0:
        x = 1;
        p = &x;
      case 1:
        if (p) sum += *p;
        p = &x;
        *p = 2;
        sum += x;
    }
  }
  return sum - 5;
}
