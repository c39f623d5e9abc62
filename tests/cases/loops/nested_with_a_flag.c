// verdict: TRUE
// decided-by: k-induction predicate impact ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int busy = 0;
    while (__VERIFIER_nondet_int()) {
        busy = 1;
        while (__VERIFIER_nondet_int()) {
            if (busy != 1) reach_error();
        }
        busy = 0;
    }
    if (busy) reach_error();
}
