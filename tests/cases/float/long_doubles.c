// verdict: TRUE
// only: QF_ABVFP
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
int main(void) {
    long i = __VERIFIER_nondet_long();
    if (i < 9007199254740993L || i > 9007199254741093L) return 0;
    // The significand has 64 bits: every long is exact.
    long double x = i;
    if ((long)x != i) reach_error();
    long double third = 1.0L / 3.0L;
    if (third == 1.0 / 3.0) reach_error();
    if (sizeof(long double) != 16) reach_error();
    return 0;
}
