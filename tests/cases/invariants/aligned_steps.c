// verdict: TRUE
// decided-by: k-induction kiki predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
// i and j are multiples of 4 also after overflow.
int main(void) {
    unsigned i = 0, j = 8;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) i += 12;
        else j -= i;
    }
    if ((i & 3) != 0 || (j & 3) != 0) reach_error();
    return 0;
}
