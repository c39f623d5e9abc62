// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }
int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    if (a > 0 && a < 20 && gcd(a, 6) == 6) reach_error();
}
