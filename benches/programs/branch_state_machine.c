// unwind: 1
// expected: false
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

static int step(int state, unsigned char in) {
    switch (state) {
    case 0: return in == 'o' ? 1 : 0;
    case 1: return in == 'p' ? 2 : in == 'o' ? 1 : 0;
    case 2: return in == 'e' ? 3 : in == 'o' ? 1 : 0;
    case 3: return in == 'n' ? 4 : in == 'o' ? 1 : 0;
    default: return state;
    }
}
int main(void) {
    int s = 0;
    s = step(s, __VERIFIER_nondet_uchar()); s = step(s, __VERIFIER_nondet_uchar()); s = step(s, __VERIFIER_nondet_uchar());
    s = step(s, __VERIFIER_nondet_uchar()); s = step(s, __VERIFIER_nondet_uchar()); s = step(s, __VERIFIER_nondet_uchar());
    check(s != 4);
}
