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

static int leap(unsigned y) { return y % 400 == 0 || (y % 4 == 0 && y % 100 != 0); }
int main(void) {
    unsigned y = __VERIFIER_nondet_uint() % 4000;
    int l;
    switch (y % 4) { case 0: l = y % 100 != 0 ? 1 : (y / 100) % 4 == 0; break; default: l = 0; }
    check(l == leap(y));
}
