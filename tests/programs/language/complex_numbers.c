// _Complex: arithmetic, parts, conversions, comparison.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
int main(void) {
  double _Complex a = 1.0 + 2.0i, b = 3.0 - 1.0i, c; c = a + b; P(__real__ c); P(__imag__ c); c = a * b; P(__real__ c); P(__imag__ c); c = a - b; P(__imag__ c); P(a == b); P(a != b); P(a == a); c = ~a; P(__imag__ c); c = -a; P(__real__ c); __imag__ c = 7; P(__imag__ c); c = 5; P(__real__ c); P(__imag__ c); double d = a; P(d); P(sizeof a); int _Complex i = 3 + 4i; P(__real__ i * __imag__ i); c += 1; P(__real__ c);
  return 0;
}
