// verdict: TRUE
// decided-by: k-induction kiki predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
// The state is 1, 7 or 30, and the flags of each are known.
int main(void) {
    int state = 1, flags = 4;
    while (__VERIFIER_nondet_int()) {
        if (state == 1) state = 7, flags = 9;
        else if (state == 7) state = 30, flags = 4;
        else state = 1;
    }
    if (state == 7 && flags != 9) reach_error();
    return 0;
}
