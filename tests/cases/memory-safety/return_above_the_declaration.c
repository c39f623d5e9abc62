// verdict: FALSE(valid-deref)
// property: valid-memsafety
int *last;
void keep(int n) {
again:
  if (n++) return;
  int x = 1;
  last = &x;
  goto again;
}
int main(void) {
  keep(0);
  return *last;
}
