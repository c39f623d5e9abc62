// verdict: TRUE
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    unsigned u = x;
    u <<= 5;
    if (n >= 0 && n < 31) x = 1 << n;
    if (x >= 0 && x < 1 << 20) return x << 11;
    return 0 << n;
}
