// verdict: FALSE(shift)
// check: shift
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n < 64 && n != 32) return 0;
    return n < 64 ? 1 : 1u >> n;
}
