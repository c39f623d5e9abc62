// verdict: TRUE
// property: valid-memsafety
int x;
int main(void) {
  unsigned long address = (unsigned long)&x;
  *(int *)address = 1;
  return x - 1;
}
