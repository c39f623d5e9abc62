// verdict: FALSE(valid-deref)
// property: valid-memsafety
int a[2];
int get(int *p, unsigned i) {
  if (p)
    return *p;
  a[i] = 1;
  return *p;
}
int main(void) { return get(0, 0); }
