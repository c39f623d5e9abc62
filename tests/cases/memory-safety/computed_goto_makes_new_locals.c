// verdict: FALSE(valid-deref)
// property: valid-memsafety
int *set(int *p) { *p = 1; return p; }
int main(void) {
  void *labels[] = { &&again };
  int *p = 0;
again:
  {
    int x;
    set(&x);
    if (p) return *p;
    p = &x;
    goto *labels[0];
  }
}
