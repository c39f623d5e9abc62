// _Generic, typeof, __auto_type, _Alignof, _Static_assert, __builtin_types_compatible_p, choose_expr, offsetof.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
#define TYPE(x) _Generic((x), char: 1, signed char: 2, unsigned char: 3, short: 4, int: 5, unsigned: 6, long: 7, unsigned long: 8, float: 9, double: 10, char *: 11, const char *: 12, int *: 13, default: 0)
struct s { char a; int b; struct { short c; long d; } e; char f[3]; };
_Static_assert(sizeof(struct s) == 32, "size");
int main(void) {
  char c = 1; short s = 2; unsigned char uc = 3; int arr[3] = { 0 }; const int ci = 1;
  P(TYPE(c)); P(TYPE(s)); P(TYPE(uc)); P(TYPE(c + s)); P(TYPE(1u)); P(TYPE(1L)); P(TYPE(1ul)); P(TYPE(1.0f)); P(TYPE(1.0)); P(TYPE("x")); P(TYPE(arr)); P(TYPE(ci)); P(TYPE('a')); P(TYPE((struct s *)0)); P(TYPE(sizeof 1)); P(TYPE(1 ? 1 : 1u)); P(TYPE(&arr[0])); P(TYPE((char)1));
  __typeof__(arr) copy = { 7, 8, 9 }; P(copy[2]); P(sizeof copy);
  __typeof__(int (*)(void)) fp = 0; P(fp == 0);
  __auto_type big = 1L << 40; P(big >> 38);
  P(_Alignof(long)); P(_Alignof(struct s)); P(__alignof__(c)); P(_Alignof(char[7]));
  P(__builtin_types_compatible_p(int, signed)); P(__builtin_types_compatible_p(int, long)); P(__builtin_types_compatible_p(char *, const char *)); P(__builtin_types_compatible_p(int[], int[3]));
  P(__builtin_choose_expr(sizeof(int) == 4, 17, "no"));
  P(__builtin_offsetof(struct s, e.d)); P(__builtin_offsetof(struct s, f[2]));
  P(__builtin_constant_p(3 + 4)); int z = c; P(__builtin_constant_p(z++) * 0 + z);
  _Alignas(16) char buffer[3]; P((unsigned long)buffer % 16); P(_Alignof(buffer));
  _Alignas(double) char d[1]; P((unsigned long)d % 8);
  return 0;
}
