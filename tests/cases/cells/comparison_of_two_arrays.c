// verdict: TRUE
// decided-by: kiki
// only: QF_ABVFP,QF_AUFLIRA
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100000], b[100000], c[100000];
int main(void) {
    for (int i = 0; i < 100000; i++) {
        int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
        if (x < -1000 || x > 1000 || y < -1000 || y >= x) return 0;
        a[i] = x;
        b[i] = y;
    }
    for (int i = 0; i < 100000; i++) c[i] = a[i] > b[i];
    for (int i = 0; i < 100000; i++)
        if (c[i] != 1) reach_error();
    return 0;
}
