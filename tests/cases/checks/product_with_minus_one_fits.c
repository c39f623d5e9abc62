// verdict: TRUE
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < -2147483647) return x * 1 + 1 * x * 0;
    x = x * -1;
    x = -1 * x;
    return x * 0 + x + 0 - 0;
}
