// verdict: TRUE
// decided-by: bmc k-induction predicate impact
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    if (n > 3) return 0;
    if (sum(n) > 6) reach_error();
}
