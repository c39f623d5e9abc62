// verdict: TRUE
// decided-by: k-induction predicate impact ufo
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int even = 1;
again:
    even = !even;
    if (__VERIFIER_nondet_int()) goto odd;
    even = !even;
    if (!even) reach_error();
    if (__VERIFIER_nondet_int()) goto again;
    return 0;
odd:
    if (even) reach_error();
    even = 1;
    goto again;
}
