// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int c = 0;
  *(int *)((unsigned long)&c & ~7ul) = 1;
  return c;
}
