// verdict: FALSE(valid-deref)
// property: valid-memsafety
void done(int *p) { *p = 0; }
int main(void) {
  int *p = 0, n = 0;
  {
  again:
    if (n > 0) goto out;
    int x = 1;
    p = &x;
    {
      int y __attribute__((cleanup(done))) = 1;
      n++;
      goto again;
    }
  }
out:
  return *p;
}
