// verdict: UNKNOWN
// only: QF_ABVFP,QF_AUFLIRA
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int at(int *p, unsigned i) { return p[i]; }
int main(void) {
    int old = 0;
    for (int n = 0; n < 3; n++) {
        int a[5000], b[2];
        b[0] = n;
        if (n == 2 && at(a, 3) != old && at(b, 0) == n) reach_error();
        a[3] = old;
    }
    return 0;
}
