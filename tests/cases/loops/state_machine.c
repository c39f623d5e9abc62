// verdict: TRUE
// decided-by: k-induction predicate impact ufo
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
            state = 0;
            break;
        default: reach_error();
        }
    }
}
