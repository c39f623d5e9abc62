// K&R definitions, implicit int, calls without a prototype, promoted parameters.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
int add(a, b) int a; char b; { return a + b; }
float half(x) float x; { return x / 2; }
short narrow(s, p) short s; int *p; { *p = s; return s + 1; }
implicit(x) { return x * 2; }
int twice();
static sum3();
int main() {
  int v;
  P(add(1, 300)); P(half(7.0) * 2); P(narrow(65537, &v)); P(v); P(implicit(4)); P(twice(21)); P(sum3(1, 2, 3));
  int (*fp)() = add; P(fp(2, 3));
  return 0;
}
int twice(int x) { return x * 2; }
static sum3(a, b, c) { return a + b + c; }
