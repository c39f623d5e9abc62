// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 6) return 0;
    if (2 * sum(n) != n * (n + 1)) reach_error();
}
