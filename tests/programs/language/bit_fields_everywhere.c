// Bit-fields: signs, widths, packing, unions, zero width, compound assignment, long long, _Bool, unnamed.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
struct a { int s : 3; unsigned u : 3; signed char c : 4; _Bool b : 1; unsigned : 0; unsigned long long w : 40; int : 5; int last : 6; } x;
struct __attribute__((packed)) p { char h; unsigned v : 13; unsigned w : 20; short t; } y;
union u { struct { unsigned lo : 4, hi : 4; }; unsigned char all; } z;
struct e { enum { E0, E1, E2 } k : 2; unsigned short q : 9; } ee;
static struct a make(int v) { struct a r = { .s = v, .u = v, .w = v }; return r; }
int main(void) {
  P(sizeof x); P(sizeof y); P(sizeof z); P(sizeof ee);
  x.s = 3; P(x.s++); P(x.s); P(--x.s); x.u = 9; P(x.u); P(x.u -= 2); P(x.u);
  x.c = -8; P(x.c); P(x.c *= 2); x.b = 4; P(x.b); P(x.b ^= 1);
  x.w = 0xffffffffffULL; P(x.w); x.w += 2; P(x.w); P(x.w = -1); P(x.last = 40); P(x.last);
  y.h = 1; y.v = 8191; y.w = 0xabcde; y.t = -2; P(y.v); P(y.w); P(y.t); P(y.v + 1); unsigned char *b = (void *)&y; for (unsigned i = 0; i < sizeof y; i++) P(b[i]);
  z.all = 0xa5; P(z.lo); P(z.hi); z.hi = 3; P(z.all);
  ee.k = E2; ee.q = 511; P(ee.k); P(ee.q << 23 < 0); P(ee.q);
  struct a m = make(-1); P(m.s); P(m.u); P(m.w); P(make(5).s); P(make(5).u);
  struct a copy = m; copy.u = 2; P(m.u); P(copy.u);
  P((x.u = 7) + 1); P(x.s = 5);
  struct { unsigned long long v : 33; } big = { 0x1ffffffffULL }; P(big.v == 0x1ffffffffULL); P(big.v >> 1); P(big.v + 1 == 0x200000000ULL || big.v + 1 == 0);
  unsigned i = 6; struct { unsigned f : 5; } fld = { 31 }; P(fld.f - i * 10 < 0); P(-fld.f < 0);
  return 0;
}
