// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction predicate impact ufo symbolic-execution
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int state = 0, opened = 0;
    for (;;) {
        switch (state) {
        case 0:
            opened = 1;
            state = 1;
            break;
        case 1:
            if (!opened) reach_error();
            state = __VERIFIER_nondet_int() ? 2 : 1;
            break;
        case 2:
            opened = 0;
            state = __VERIFIER_nondet_int() ? 0 : 1;
            break;
        default: reach_error();
        }
    }
}
