// verdict: TRUE
// decided-by: k-induction kiki predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
// x - y <= n: the bound is a variable.
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0, y = 0;
    if (n < 0 || n > 1000000) return 0;
    while (__VERIFIER_nondet_int()) {
        if (x - y < n) x++;
        else y++;
    }
    if (x - y > n) reach_error();
    return 0;
}
