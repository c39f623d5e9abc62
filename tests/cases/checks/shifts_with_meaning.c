// verdict: TRUE
// check: shift
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    unsigned u = x;
    u <<= 31; u >>= 1;
    unsigned long w = 1UL << 63;
    _Bool b = x;
    char c = 3;
    c <<= 7; c = c >> (char)7;
    u = u << b;
    if (n >= 0 && n < 32) return x >> n;
    return w > 1;
}
