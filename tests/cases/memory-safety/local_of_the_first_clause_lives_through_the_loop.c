// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int *p = 0, sum = 0;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++) {
      if (j > 0) sum += *p;
      p = &j;
    }
  }
  return sum - 6;
}
