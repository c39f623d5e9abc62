// verdict: FALSE(valid-deref)
// property: valid-memsafety
int *leak(void) {
  int x = 3;
  int *p = &x;
  return p;
}
int main(void) { return *leak(); }
