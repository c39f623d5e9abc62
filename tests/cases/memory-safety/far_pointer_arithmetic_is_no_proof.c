// verdict: UNKNOWN
// property: valid-memsafety
int a[2];
int main(void) {
  char *p = (char *)a;
  p = p + 0x123456789abcULL;
  p = p - 0x123456789abcULL;
  return *p;
}
