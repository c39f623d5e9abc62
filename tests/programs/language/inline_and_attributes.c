// inline functions, noreturn, pure, weak, aliases, constructors.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static inline int sq(int x) { return x * x; } inline int ext(int x) { return x + 1; } extern int ext(int); int order; __attribute__((constructor)) static void before(void) { order = 5; }
int real(int x) { return x * 3; } int other(int) __attribute__((alias("real"))); int maybe(void) __attribute__((weak)); _Noreturn void stop(int); __attribute__((weak)) int soft(void) { return 8; }
int main(void) { P(sq(4)); P(ext(2)); P(order); P(other(5)); P(maybe ? 1 : 0); P(soft()); if (maybe) stop(maybe()); int (*f)(int) = other; P(f == real); P(f(2)); return 0; }
void exit(int); _Noreturn void stop(int x) { exit(x); }
