// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int *q = &(int){i};
    int *a = (int[]){i, i};
    sum += *q + a[1];
  }
  return sum - 6;
}
