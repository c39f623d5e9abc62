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
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    unsigned r = 0;
    if (b & 1) r += a; if (b & 2) r += a << 1; if (b & 4) r += a << 2; if (b & 8) r += a << 3;
    if (b & 16) r += a << 4; if (b & 32) r += a << 5; if (b & 64) r += a << 6; if (b & 128) r += a << 7;
    check(r == (unsigned)a * b);
}
