// verdict: FALSE(valid-deref)
// property: valid-memsafety
void *memcpy(void *, const void *, unsigned long);
int a[3], b[4];
int main(void) {
  memcpy(a, b, sizeof b);
  return 0;
}
