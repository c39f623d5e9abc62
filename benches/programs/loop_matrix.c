// unwind: 5
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
    unsigned a[4][4], t[4][4];
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) a[i][j] = __VERIFIER_nondet_uint();
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) t[j][i] = a[i][j] * 3u;
    unsigned x = 0, y = 0;
    for (int i = 0; i < 4; i++) { x += a[i][i]; y += t[i][i]; }
    check(y == 3u * x);
}
