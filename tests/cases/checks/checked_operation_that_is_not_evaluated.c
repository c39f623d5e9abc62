// verdict: TRUE
// property: no-overflow
// check: div-by-zero,shift
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int r = x != 0 && 10 / x > 2;
    r |= x == 0 || 10 % x;
    int z = x > 2147483646 ? 0 : x + 1;
    z = y >= 0 && y < 32 && x >= 0 ? x >> y : 0;
    if (!(x == -2147483647 - 1) && -x > 5) z = 1;
    if (0) z = 1 / 0;
    return sizeof(2147483647 + x) == 4 && r && z;
}
