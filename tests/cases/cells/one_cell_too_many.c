// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[8];
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 6) return 0;
    for (int i = 0; i < n; i++) a[i] = 7;
    for (int i = 0; i <= n; i++)
        if (a[i] != 7) reach_error();
    return 0;
}
