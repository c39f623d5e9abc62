// verdict: TRUE
// decided-by: k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    int r = f(n);
    if (n <= 101 ? r != 91 : r != n - 10) reach_error();
}
