// verdict: TRUE
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned u = x;
    u += 4000000000u; u *= u; u = -u; u++;
    short s = x;
    int back = (int)u + 0;
    unsigned long w = 1UL - 2;
    int r;
    if (__builtin_add_overflow(x, x, &r)) return 1;
    return s + (back > 0) + (w > 1);
}
