// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction predicate impact ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int phase = 1;
    while (__VERIFIER_nondet_int())
        if (phase != 1) reach_error();
    while (__VERIFIER_nondet_int()) phase = 2;
    while (__VERIFIER_nondet_int())
        if (phase != 1) reach_error();
}
