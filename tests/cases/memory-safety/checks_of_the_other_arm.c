// verdict: FALSE(valid-deref)
// property: valid-memsafety
int a[2];
int get(int *p, unsigned i) { return p ? *p : (a[i] = 1) + *p; }
int main(void) { return get(0, 1); }
