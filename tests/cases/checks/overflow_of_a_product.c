// verdict: FALSE(no-overflow)
// property: no-overflow
// only: QF_ABVFP
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x > 1 && x < 70000 && y > 1 && y < 40000 && x % 1000 == 7) return x * y;
}
