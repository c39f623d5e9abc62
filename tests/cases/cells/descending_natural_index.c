// verdict: TRUE
// decided-by: kiki
// only: QF_ABVFP
// The loop ends at the index 0, where i - 1 wraps around.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int a[1000];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000) return 0;
    unsigned i = n;
    while (i > 0) {
        i--;
        a[i] = 3;
    }
    for (i = 0; i < n; i++)
        if (a[i] != 3) reach_error();
    return 0;
}
