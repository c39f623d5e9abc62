// verdict: FALSE(unreach-call)
// only: QF_ABVFP
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int a[10];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 10) return 0;
    int *p;
    for (p = a + n; p > a + 1;) *--p = 3;
    for (p = a; p < a + n; p++)
        if (*p != 3) reach_error();
    return 0;
}
