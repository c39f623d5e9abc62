// verdict: TRUE
// decided-by: kiki
// only: QF_AUFLIRA
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[500], b[500];
static void copy(int *to, const int *from, unsigned n) {
    while (n > 0) {
        *to++ = *from++;
        n--;
    }
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 500) return 0;
    for (unsigned i = 0; i < n; i++) b[i] = __VERIFIER_nondet_int();
    copy(a, b, n);
    for (unsigned i = 0; i < n; i++)
        if (a[i] != b[i]) reach_error();
    return 0;
}
