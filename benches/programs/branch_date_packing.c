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

struct date { unsigned day : 5, month : 4, year : 12; };
int main(void) {
    unsigned d = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    assume(d >= 1 && d <= 31 && m >= 1 && m <= 12 && y < 4096);
    struct date date = {d, m, y};
    unsigned packed = date.year << 9 | date.month << 5 | date.day;
    check((packed & 31) == d && (packed >> 5 & 15) == m && packed >> 9 == y);
}
