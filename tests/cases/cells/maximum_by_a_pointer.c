// verdict: TRUE
// decided-by: kiki
// only: QF_AUFLIRA,QF_UFLIRA
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100];
static const int *maximum(const int *p, const int *end) {
    const int *found = p;
    for (; p < end; p++)
        if (*p > *found) found = p;
    return found;
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100 || n == 0) return 0;
    for (unsigned i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    const int *found = maximum(a, a + n);
    for (unsigned i = 0; i < n; i++)
        if (a[i] > *found) reach_error();
    return 0;
}
