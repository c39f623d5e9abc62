// verdict: TRUE
// decided-by: kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
// The invariant is a disjunction: k is 1, or n is at least 2. The product may wrap around.
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned k = 1;
    while ((int) k < n) {
        if (__VERIFIER_nondet_int()) k = 2 * k;
        else k = 5 * k;
    }
    if ((int) k <= 0) reach_error();
    return 0;
}
