// verdict: TRUE
// decided-by: k-induction kiki predicate impact
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
// x + y <= 10: a sum of two variables.
int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int())
        if (x + y < 10) {
            if (__VERIFIER_nondet_int()) x++;
            else y++;
        }
    if (x + y > 10) reach_error();
    return 0;
}
