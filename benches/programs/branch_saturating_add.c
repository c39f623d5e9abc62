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
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r;
    if (b > 0 && a > 2147483647 - b) r = 2147483647;
    else if (b < 0 && a < -2147483647 - 1 - b) r = -2147483647 - 1;
    else r = a + b;
    long long exact = (long long)a + b;
    if (exact > 2147483647LL) exact = 2147483647LL;
    if (exact < -2147483648LL) exact = -2147483648LL;
    check(r == exact);
}
