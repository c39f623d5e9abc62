// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki predicate impact
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int())
        if (x + y < 3) {
            if (__VERIFIER_nondet_int()) x++;
            else y += 2;
        }
    if (x + y > 3) reach_error();
    return 0;
}
