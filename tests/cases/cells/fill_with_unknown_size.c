// verdict: TRUE
// decided-by: k-induction kiki
// only: QF_ABVFP,QF_AUFLIRA
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[1000];
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    for (int i = 0; i < n; i++) a[i] = 7;
    for (int i = 0; i < n; i++)
        if (a[i] != 7) reach_error();
    return 0;
}
