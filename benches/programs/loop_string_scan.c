// unwind: 17
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

int main(void) {
    unsigned char text[16];
    for (int i = 0; i < 15; i++) text[i] = __VERIFIER_nondet_uchar();
    text[15] = 0;
    int depth = 0, deepest = 0;
    for (int i = 0; text[i]; i++) {
        if (text[i] == '(') depth++;
        if (text[i] == ')') depth--;
        if (depth < 0) return 0;
        if (depth > deepest) deepest = depth;
    }
    check(depth != 0 || deepest < 7);
}
