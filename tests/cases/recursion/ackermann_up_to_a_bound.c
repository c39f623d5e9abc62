// verdict: TRUE
// decided-by: k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int ackermann(int m, int n) {
    if (m <= 0) return n < 500 ? n + 1 : 500;
    return ackermann(m - 1, n <= 0 ? 1 : ackermann(m, n - 1));
}
int main(void) {
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (n >= 0 && ackermann(m, n) < 1) reach_error();
}
