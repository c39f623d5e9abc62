// verdict: TRUE
// decided-by: kiki
// only: QF_AUFLIRA
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[1000];
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    int max = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > max) max = a[i];
    for (int i = 0; i < n; i++)
        if (a[i] > max) reach_error();
    return 0;
}
