// verdict: TRUE
// only: QF_ABVFP,QF_AUFLIRA
// decided-by: k-induction predicate impact
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a[8];
    a[0] = 7;
    while (__VERIFIER_nondet_int()) {
        unsigned i = __VERIFIER_nondet_int();
        if (i >= 1 && i < 8) a[i] = 3;
        if (a[0] != 7) reach_error();
    }
}
