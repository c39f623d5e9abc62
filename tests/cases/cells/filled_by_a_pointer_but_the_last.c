// verdict: FALSE(unreach-call)
// only: QF_ABVFP
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int a[10];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 10) return 0;
    int *p, *end = a + n;
    for (p = a; p + 1 < end; p++) *p = 7;
    for (unsigned i = 0; i < n; i++)
        if (a[i] != 7) reach_error();
    return 0;
}
