// int128, hex floats in constant expressions, octal, binary, character constants, wide strings, promotions, shifts.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
static __int128 mul(long a, long b) { return (__int128)a * b; }
int main(void) {
  __int128 v = mul(0x7fffffffffffffffL, 0x7fffffffffffffffL);
  P(v >> 64); P(v); P((unsigned __int128)-1 >> 127); P(v % 1000003); P((long)(v / 12345678901L)); P(v > 0); P(-v < 0);
  unsigned __int128 u = ((unsigned __int128)1 << 100) + 5; P(u >> 98); P((int)u); P(u * 3 >> 100); P(sizeof u);
  P(0b1011); P(017); P(0x1F); P('\x41'); P('\377'); P('ab'); P(L'\x3b1'); P(u'\u00e9'); P(sizeof L"abc"); P(L"a\x3b1"[1]); P(U"\U0001F600"[0]); P(u8"\u00e9"[1]); P(sizeof u"ab");
  P((int)0x1.8p1); P((long)0x1p40); P((signed char)200); P((unsigned char)-1); P((unsigned short)-1 + 1); P((short)0x18000 < 0);
  P(-1 < 0u); P((unsigned char)255 + 1); P(-7 / 2); P(-7 % 2); P(7 % -2); P(-8 >> 1); P(1u << 31 > 0); P(~0u >> 28); P(-1L < 1u); P((int)4294967295u); P(!5 + !0); P(5 && 0 || 3);
  P(2147483647 + 1u == 2147483648u); P((_Bool)256); P((_Bool)0.5); P(sizeof(1 ? (char)1 : (char)2)); P(0xffffffff > 0); P(sizeof 2147483648); P(sizeof 0xffffffff);
  int i = 5; i = i++ * 0 + i; unsigned char c = 250; c += 10; P(c); c <<= 4; P(c); short s = -1; s >>= 4; P(s); P((c, s, i > 0));
  long long ll = 1LL << 62; P(ll >> 61); P((int)(ll >> 40)); P((unsigned)-1 / 3); P(1 ? -1 : 0u);
  return 0;
}
