// verdict: TRUE
// decided-by: k-induction predicate impact impact-sbe ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        y++;
        if (x != y) reach_error();
    }
}
