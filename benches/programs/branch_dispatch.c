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

static unsigned twice(unsigned x) { return x * 2; }
static unsigned minus(unsigned x) { return x - 3; }
static unsigned halve(unsigned x) { return x / 2; }
int main(void) {
    unsigned (*table[3])(unsigned) = {twice, minus, halve};
    unsigned x = __VERIFIER_nondet_uint() % 1000;
    unsigned i = __VERIFIER_nondet_uint() % 3, j = __VERIFIER_nondet_uint() % 3, k = __VERIFIER_nondet_uint() % 3;
    unsigned y = table[k](table[j](table[i](x)));
    check(y != 77 || x < 300);
}
