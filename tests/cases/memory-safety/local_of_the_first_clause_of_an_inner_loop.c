// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 1; j++) {
      if (i == 1) return *p;
      p = &j;
    }
  return 0;
}
