// verdict: TRUE
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    short a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 && y < 0) return x - y;
    if (x > 65535) return (a - b) + 5 + x / 2;
    return -1 - x;
}
