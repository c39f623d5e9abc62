// verdict: FALSE(shift)
// check: shift
extern unsigned long __VERIFIER_nondet_ulong(void);
struct s { unsigned long wide : 40; } s;
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    s.wide = n;
    if (n > 40) return 0;
    return s.wide << n;
}
