// unwind: 20
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
    int n = __VERIFIER_nondet_int(), sum = 0;
    assume(n >= 0 && n < 20);
    for (int i = 0; i < n; i++) sum += i & 3;
    check(sum <= 60);
}
