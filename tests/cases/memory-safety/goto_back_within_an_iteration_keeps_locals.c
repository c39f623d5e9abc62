// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int *p = 0, n = 0;
  again:
    if (p) sum += *p;
    int x = n;
    if (p) sum += *p;
    p = &x;
    if (n++ < 2) goto again;
  }
  int a[9] = {0};
  return a[sum];
}
