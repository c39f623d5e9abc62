// verdict: FALSE(no-overflow)
// property: no-overflow
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    return n < 1u << 31 ? 0 : 1 << n;
}
