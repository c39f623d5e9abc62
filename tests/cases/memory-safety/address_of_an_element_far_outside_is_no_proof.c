// verdict: UNKNOWN
// property: valid-memsafety
int a[4], b[4];
int main(void) {
  int *p = &a[1L << 38];
  int *q = b;
  *q = 1;
  return *p;
}
