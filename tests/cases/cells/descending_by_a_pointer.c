// verdict: TRUE
// decided-by: kiki
// only: QF_ABVFP
// The counter of the first loop starts at n, so that both loops have indices of the same cells.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int a[1000];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000) return 0;
    int *p;
    for (p = a + n; p > a;) *--p = 3;
    for (p = a; p < a + n; p++)
        if (*p != 3) reach_error();
    return 0;
}
