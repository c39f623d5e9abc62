// verdict: FALSE(valid-deref)
// property: valid-memsafety
struct pair { int a[2]; };
struct pair get(void) { return (struct pair){{1, 2}}; }
int main(void) {
  int i = 2;
  return get().a[i];
}
