// verdict: TRUE
// decided-by: k-induction kiki predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
// The index of a string stays within a length that is an input.
int main(void) {
    char s[100];
    unsigned n = __VERIFIER_nondet_int(), i = 0;
    if (n >= 100) return 0;
    while (i < n && s[i] != 0) i++;
    if (i > n) reach_error();
    return 0;
}
