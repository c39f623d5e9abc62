// Bit counting, byte swapping, overflow, expect, unreachable, object size, memory functions.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
int main(void) {
  volatile unsigned x = 0x00f0; volatile unsigned long y = 0x10000000000UL; volatile int n = -3;
  P(__builtin_popcount(x)); P(__builtin_popcountl(y)); P(__builtin_clz(x)); P(__builtin_clzl(y)); P(__builtin_ctz(x)); P(__builtin_ctzll(y)); P(__builtin_parity(x | 1)); P(__builtin_ffs(x)); P(__builtin_ffs(0)); P(__builtin_clrsb(n)); P(__builtin_ffsl(y));
  P(__builtin_bswap16(0x1234)); P(__builtin_bswap32(0x12345678)); P(__builtin_bswap64(0x0102030405060708UL));
  int r; unsigned char c; long l; unsigned u;
  P(__builtin_add_overflow(2147483647, 1, &r)); P(r); P(__builtin_add_overflow(200, 55, &c)); P(c); P(__builtin_add_overflow(200, 56, &c)); P(c); P(__builtin_mul_overflow(1L << 40, 1L << 30, &l)); P(l); P(__builtin_sub_overflow(1u, 2u, &u)); P(u); P(__builtin_sub_overflow(1u, 2u, &l)); P(l); P(__builtin_sadd_overflow(1, 2, &r)); P(r); P(__builtin_umul_overflow(65536u, 65536u, &u)); P(u); P(__builtin_add_overflow_p(1, 2, (char)0));
  P(__builtin_expect(n < 0, 1)); if (n > 0) __builtin_unreachable(); P(__builtin_expect(!!n, 0)); P(__builtin_abs(n)); P(__builtin_labs(-4L));
  char buf[10]; __builtin_memset(buf, 7, sizeof buf); P(buf[9]); __builtin_memcpy(buf, "hello", 6); P(__builtin_strlen(buf)); P(__builtin_strcmp(buf, "hellp") < 0); P(__builtin_memcmp(buf, "hello", 6));
  char *a = __builtin_alloca(x); a[3] = 4; P(a[3]); P(__builtin_object_size(buf, 0) == 10 || 1); __builtin_prefetch(buf);
  P(__builtin_isnan(0.0 / 1.0)); P(__builtin_signbit(-1.0) != 0); P(__builtin_huge_val() > 1e300); P(__builtin_assume_aligned(buf, 1) == buf);
  return 0;
}
