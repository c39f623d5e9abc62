// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p;
  if ((p = &(int){1})) *p = 0;
  return *p;
}
