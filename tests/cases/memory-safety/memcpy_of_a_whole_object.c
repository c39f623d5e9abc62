// verdict: TRUE
// property: valid-memsafety
void *memcpy(void *, const void *, unsigned long);
int a[4], b[4];
int main(void) {
  memcpy(a, b, sizeof b);
  return 0;
}
