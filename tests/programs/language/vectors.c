// Vector extensions: arithmetic, comparison, subscripts, shifts.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
typedef int v4 __attribute__((vector_size(16)));
static v4 twice(v4 x) { return x + x; }
int main(void) {
  v4 a = { 1, 2, 3, 4 }, b = { 10, 20, 30, 40 }, c = a + b; P(c[0]); P(c[3]); c = b * a - a; P(c[2]); c = a < (v4){ 2, 2, 4, 4 }; P(c[0]); P(c[1]); c = -a; P(c[1]); a[2] = 9; P(a[2]); P(twice(a)[3]); c = a << 1; P(c[2]); c = a & b; P(c[1]); int s = 0; for (int i = 0; i < 4; i++) s += b[i]; P(s); P(sizeof a); c = a + 1; P(c[0]); c += b; P(c[1]); c = ~a; P(c[0]);
  return 0;
}
