// verdict: TRUE
// decided-by: k-induction kiki
// only: QF_ABVFP,QF_AUFLIRA
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100000];
int main(void) {
    for (int i = 0; i < 50000; i++) a[2 * i] = 3;
    for (int i = 0; i < 50000; i++)
        if (a[2 * i] != 3) reach_error();
    return 0;
}
