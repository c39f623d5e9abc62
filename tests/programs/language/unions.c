// Type punning through unions and pointers, anonymous members, arrays in unions, unions by value.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
union v { unsigned u; float f; unsigned char b[4]; short s[2]; };
struct t { int kind; union { long l; struct { int x, y; }; char name[8]; }; };
static union v flip(union v x) { x.u ^= 0x80000000u; return x; }
static struct t mk(int k) { struct t r = { k, { .x = k } }; r.y = k + 1; return r; }
int main(void) {
  union v x = { .f = 1.0f }; P(x.u >> 23); x.b[0] = 1; P(x.u & 255); P(x.s[1]); P(flip(x).f < 0);
  struct t t = mk(3); P(t.x); P(t.y); P(t.l >> 32); t.name[0] = 'z'; P(t.x & 255); struct t t2 = t; t2.l = 0; P(t.y); P(t2.y);
  struct t arr[3] = { mk(1), mk(2), mk(3) }; P(arr[1].y + arr[2].x); P(sizeof t);
  union { struct { unsigned a : 4, b : 12; }; unsigned short w; } bits = { .w = 0xabcd }; P(bits.a); P(bits.b);
  long l = 0x0102030405060708; unsigned char *p = (unsigned char *)&l; P(p[0]); P(p[7]); *(short *)(p + 2) = 0x1111; P(l);
  double d = 1.5; unsigned long bitsd; __builtin_memcpy(&bitsd, &d, 8); P(bitsd >> 52); float fs[2] = { 1, 2 }; P(*(unsigned *)&fs[1] >> 23);
  return 0;
}
