// verdict: TRUE
// decided-by: k-induction kiki
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int odd(unsigned n);
int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    int r = even(n);
    if (r != 0 && r != 1) reach_error();
}
