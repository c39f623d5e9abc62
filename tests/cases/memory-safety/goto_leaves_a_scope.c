// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  int *p;
  {
    int x = 3;
    p = &x;
    goto out;
  }
out:
  return *p;
}
