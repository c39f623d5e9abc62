// The values of bit-fields have the width of the bit-field: promotion, arithmetic, assignment, ternaries, commas.
int printf(const char*,...);
#define P(x) printf("%ld\n", (long)(x))
struct S { long sw:40; unsigned long w:40; unsigned long u32:32; long s33:33; long s32:32; } s;
int main(void){
  volatile int one = 1; s.sw = -7;
  s.u32 = -1; P( (unsigned long)(s.u32 + 1));P( (int)sizeof(s.u32+1));
  s.s32 = -1; P( s.s32 < 0u);P( s.s33 - 1 < 0u);
  s.s33 = -1; P( s.s33 < 1u);
  P( (int)sizeof(s.w+1));
  s.w = -1; typeof(s.w+1) x = 5; x = x - 6; P( (unsigned long)x);
  P( (unsigned long)(s.w<<8));P( (unsigned long)(s.w>>8));
  __auto_type y = (s.w + 0); y = y + 1; P( (unsigned long)y);
  float f = s.w; P( f);
  s.w = 1ul<<39; P( (unsigned long)(s.w + s.w));
  unsigned long z = s.w * 2; P( z);
  s.w = 3; P( -1 < s.w);
  P( s.w - 4 > 0);
  P( (unsigned long)~s.w);
  s.w += 0xffffffffffUL; P( (unsigned long)s.w);
  P( (unsigned long)(1 ? s.w : -1));
  P( (unsigned long)(0 ? s.w : -1));
  P( (unsigned long)(one ? -1: s.w ));
  P( (unsigned long)(!one ? 5 : (s.w = -1)));
  P( s.sw < s.w);
  return 0; }
