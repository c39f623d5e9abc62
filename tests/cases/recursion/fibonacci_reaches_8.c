// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int fibonacci(int n) {
    if (n <= 1) return n < 0 ? 0 : n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 6 && fibonacci(n) == 8) reach_error();
}
