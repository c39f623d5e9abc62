// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 90 && f(n) != 91) reach_error();
}
