// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction predicate impact impact-sbe ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int lock = 0;
    while (__VERIFIER_nondet_int()) {
        if (lock != 0) reach_error();
        lock = 1;
        if (__VERIFIER_nondet_int()) continue;
        lock = 0;
    }
}
