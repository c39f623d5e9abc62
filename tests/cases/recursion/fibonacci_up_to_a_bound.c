// verdict: TRUE
// decided-by: k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int fibonacci(int n) {
    if (n <= 1) return n < 0 ? 0 : n;
    int sum = fibonacci(n - 1) + fibonacci(n - 2);
    return sum > 1000 ? 1000 : sum;
}
int main(void) {
    int r = fibonacci(__VERIFIER_nondet_int());
    if (r < 0 || r > 1000) reach_error();
}
