// unwind: 1
// expected: true
#ifdef __CPROVER__
#define check(condition) __CPROVER_assert(condition, "check")
#define assume(condition) __CPROVER_assume(condition)
#else
extern void reach_error(void);
extern void __VERIFIER_assume(int);
#define check(condition) do { if (!(condition)) reach_error(); } while (0)
#define assume(condition) __VERIFIER_assume(condition)
#endif
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = x;
    y ^= y >> 16; y ^= y >> 8; y ^= y >> 4; y &= 15; y = (0x6996 >> y) & 1;
    unsigned z = x;
    z ^= z >> 1; z ^= z >> 2; z = (z & 0x11111111u) * 0x11111111u; z = (z >> 28) & 1;
    check(y == z);
}
