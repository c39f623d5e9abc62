// verdict: TRUE
// decided-by: k-induction predicate impact ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int search(void) {
    int found = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            found = 1;
            break;
        }
        if (found) reach_error();
        if (__VERIFIER_nondet_int()) return 2;
    }
    return found;
}
int main(void) {
    int result = search();
    if (result < 0 || result > 2) reach_error();
}
