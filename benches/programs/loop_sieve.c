// unwind: 60
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

_Bool composite[60];
int main(void) {
    for (int i = 2; i < 60; i++)
        if (!composite[i])
            for (int j = i + i; j < 60; j += i) composite[j] = 1;
    int n = __VERIFIER_nondet_int();
    assume(n > 1 && n < 60);
    check(composite[n] || n == 2 || n % 2 == 1);
}
