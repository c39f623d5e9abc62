// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    if (i == 1) goto skip;
    int x = 1;
    sum += x;
  skip:;
    int *p = &x;
    *p = 2;
    sum += *p;
  }
  return sum - 5;
}
