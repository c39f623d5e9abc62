// verdict: TRUE
// property: valid-memsafety
int a[3];
int main(void) {
  int sum = 0;
  for (int *p = a; p != a + 3; p++) sum += *p;
  return sum;
}
