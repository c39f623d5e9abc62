// verdict: FALSE(valid-deref)
// property: valid-memsafety
int main(void) {
  for (int i = 0; i < 2; i++) {
    int *p = 0, done = 0;
  again:;
    int x;
    if (p && *p != 7) p = 0, x = *p;
    x = 7;
    p = &x;
    if (!done) {
      done = 1;
      goto again;
    }
  }
  return 0;
}
