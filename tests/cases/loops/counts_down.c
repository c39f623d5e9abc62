// verdict: TRUE
// decided-by: k-induction predicate impact
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    unsigned rest = n, done = 0;
    while (rest != 0) {
        rest--;
        done++;
        if (rest + done != n) reach_error();
    }
    if (done != n) reach_error();
}
