// verdict: TRUE
// property: valid-memsafety
struct s { int a[3]; };
int sum(struct s x) {
  int *p = x.a;
  return p[0] + p[2];
}
int main(void) {
  struct s x = {{1, 2, 3}};
  return sum(x) - 4;
}
