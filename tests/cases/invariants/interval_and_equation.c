// verdict: TRUE
// decided-by: k-induction kiki predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
// j = 2 i is an equation, k <= 50 an interval.
int main(void) {
    int i = 0, j = 0, k = 0;
    while (i < 1000) {
        i++;
        j += 2;
        if (k < 50) k++;
    }
    if (j != 2000 || k > 50) reach_error();
    return 0;
}
