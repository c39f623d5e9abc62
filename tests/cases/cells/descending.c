// verdict: TRUE
// decided-by: kiki
// only: QF_ABVFP,QF_AUFLIRA
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000) return 0;
    int *a = malloc(n * sizeof(int));
    if (!a) return 0;
    for (int i = n - 1; i >= 0; i--) a[i] = i;
    for (int i = 0; i < n; i++)
        if (a[i] != i) reach_error();
    return 0;
}
