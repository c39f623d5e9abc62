// verdict: TRUE
// check: div-by-zero,shift
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y == 0) return -x;
    return (x + 1) / y;
}
