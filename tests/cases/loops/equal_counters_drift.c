// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction predicate impact ufo symbolic-execution
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        if (x != 3) y++;
        if (x == 5 && x != y) reach_error();
    }
}
