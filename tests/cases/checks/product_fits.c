// verdict: TRUE
// property: no-overflow
// only: QF_ABVFP
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x >= 0 && x < 46341 && y >= -46340 && y < 46341) return x * y;
}
