// verdict: FALSE(valid-deref)
// property: valid-memsafety
char *first;
void f(int n) {
  for (int i = 0; i < n; i++) {
    char *p = __builtin_alloca(4);
    p[0] = 1;
    if (i == 0) first = p;
  }
}
int main(void) {
  f(2);
  return *first;
}
