// GNU nested functions.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static int apply(int (*f)(int), int x) { return f(x); }
int main(void) {
  int base = 10; int add(int x) { return x + base; } P(add(1)); base = 20; P(apply(add, 2)); void set(int v) { base = v; } set(5); P(base); P(add(1));
  return 0;
}
