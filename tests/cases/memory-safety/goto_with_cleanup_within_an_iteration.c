// verdict: TRUE
// property: valid-memsafety
void done(int *p) { *p = 0; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int *p = 0, n = 0;
  again:;
    int x = n;
    if (p) sum += *p;
    p = &x;
    {
      int y __attribute__((cleanup(done))) = 1;
      if (n++ < 2) goto again;
    }
  }
  int a[7] = {0};
  return a[sum];
}
