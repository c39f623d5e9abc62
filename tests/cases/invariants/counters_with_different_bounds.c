// verdict: TRUE
// decided-by: k-induction kiki predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0, c8 = 0, c9 = 0, c10 = 0, c11 = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && c0 < 10) c0++;
        if (__VERIFIER_nondet_int() && c1 < 17) c1++;
        if (__VERIFIER_nondet_int() && c2 < 24) c2++;
        if (__VERIFIER_nondet_int() && c3 < 31) c3++;
        if (__VERIFIER_nondet_int() && c4 < 38) c4++;
        if (__VERIFIER_nondet_int() && c5 < 45) c5++;
        if (__VERIFIER_nondet_int() && c6 < 52) c6++;
        if (__VERIFIER_nondet_int() && c7 < 59) c7++;
        if (__VERIFIER_nondet_int() && c8 < 66) c8++;
        if (__VERIFIER_nondet_int() && c9 < 73) c9++;
        if (__VERIFIER_nondet_int() && c10 < 80) c10++;
        if (__VERIFIER_nondet_int() && c11 < 87) c11++;
    }
    if (c0 > 10) reach_error();
    if (c1 > 17) reach_error();
    if (c2 > 24) reach_error();
    if (c3 > 31) reach_error();
    if (c4 > 38) reach_error();
    if (c5 > 45) reach_error();
    if (c6 > 52) reach_error();
    if (c7 > 59) reach_error();
    if (c8 > 66) reach_error();
    if (c9 > 73) reach_error();
    if (c10 > 80) reach_error();
    if (c11 > 87) reach_error();
    return 0;
}
