// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p = 0, *q;
  for (int i = 0; i < 0; i++)
    *p = 1;
  q = p + 1;
  *p = 1;
  return q == 0;
}
