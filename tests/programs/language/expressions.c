// Commas, compound assignments, conditional with omitted operand, order through sequence points, chains, casts of lvalues in gnu.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static int n; static int next(void) { return ++n; } static int zero(void) { n += 10; return 0; }
int main(void) {
  int a = 1, b = 2, c; c = (a++, b += a, a * b); P(c); P(a ?: 9); P(0 ?: 9); P(next() ?: 5); P(n); P(zero() && next()); P(n); P(zero() || next()); P(n);
  a = b = c = 4; P(a + b + c); a += b -= c *= 2; P(a); P(b); P(c); a = 7; a ^= b ^= a ^= 0; P(a); P(a ? b ? 1 : 2 : 3); unsigned u = 3; u <<= 2; u |= 1; u %= 5; P(u); int arr[4] = { 0, 1, 2, 3 }; int i = 0; arr[i++] += 5; P(arr[0]); P(i); arr[++i] *= 10; P(arr[2]); int *p = arr; *p++ = 9; *++p = 8; P(arr[0]); P(arr[2]); P(p - arr); 
  P(- -a); P(+-~a); P(!!a); P(sizeof(int) * 2); P(sizeof a + 1); P((a, b) + 1); P(a == 7 == 1); P(1 < 2 < 3); P(5 - 3 - 1); P(2 * 3 % 4); P(1 << 2 + 1); P(6 & 3 == 3); P((char)a++ + a * 0); long l = 5; l -= 10u; P(l); unsigned char uc = 255; uc++; P(uc); P(uc--); P(uc); short s = 32767; s++; P(s); P((unsigned)(s) > 0); float f = 2.5f; f *= 2; P(f); f++; P((int)f); int q = 7; q /= 2.0; P(q); q *= 1.6; P(q); double d = 1; d += 1; P(d == 2.0); 
  P(({ int t = 3; t; }) + 1); P((int){ 4 } + 1); int x = 10; while (x-- > 7) ; P(x); for (i = 0, x = 5; i < x; i++, x--) ; P(i * 10 + x); if (a = 0, b) P(1); else P(2); P((0, 1) ? 2 : 3);
  return 0;
}
