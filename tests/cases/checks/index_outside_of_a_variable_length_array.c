// verdict: FALSE(bounds)
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 3) return 0;
    int a[n];
    n = 3;
    a[n - 1] = 1;
}
