// verdict: TRUE
// decided-by: kiki
// only: QF_ABVFP
// The pointer becomes a multiple of a counter that is compared with an index of another width.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int a[1000];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000) return 0;
    int *p, *end = a + n;
    for (p = a; p < end; p++) *p = 7;
    for (unsigned i = 0; i < n; i++)
        if (a[i] != 7) reach_error();
    return 0;
}
