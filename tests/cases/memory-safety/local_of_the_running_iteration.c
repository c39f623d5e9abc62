// verdict: TRUE
// property: valid-memsafety
void set(int *p, int value) { *p = value; }
int main(void) {
  int *p = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    int x;
    p = &x;
    set(p, i);
    for (int j = 0; j < 2; j++) sum += *p + x;
  }
  int a[7];
  a[sum - 6] = 1;
  return a[sum - 6];
}
