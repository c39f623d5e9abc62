// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p = 0, n = 0;
  {
  again:
    if (n++) goto out;
    int x = 1;
    p = &x;
    goto again;
  }
out:
  return *p;
}
