// verdict: TRUE
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
struct pair { int a, b; } pair = {1, 2};
int state, array[3];
int next(void) { return ++state; }
int sum(int a, int b) { return a + b; }
int *where(void) { array[1]++; return array; }
unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
struct pair get(void) { pair.a++; return pair; }
int add(struct pair x, struct pair y) { return x.a + y.a; }
int main(void) {
  if (sum(next(), next()) != 3 || next() * next() != 12)
    reach_error();
  if (*(where() + array[1] * 0) != 0)
    reach_error();
  if (add(get(), get()) != 5)
    reach_error();
  if (fibonacci(4) != 3 || sum(__VERIFIER_nondet_uint() % 2, __VERIFIER_nondet_uint() % 2) > 2)
    reach_error();
}
