// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p = 0;
  if (!p) p = &(int){1};
  return *p;
}
