// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction pdr
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int is_large(unsigned n) {
    if (n >= 4) return 1;
    return n == 0 ? 0 : is_large(n - 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 && is_large(n)) reach_error();
}
