// verdict: TRUE
// decided-by: k-induction kiki predicate impact
// A slice without the loop would reach the error.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int input = __VERIFIER_nondet_int();
    if (!input) return 0;
    while (input > 0) { }
    if (input >= 0) reach_error();
    return 0;
}
