// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int a[2] = {0};
  *(int *)((unsigned long)(a + 1) | 4) = 1;
  return 0;
}
