// verdict: TRUE
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int abs(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    char c = x;
    unsigned u = x;
    u = -u;
    if (x != -2147483647 - 1) return -x + (x < 0 ? x : 0) + abs(x) / 2 / 2;
    return -c;
}
