// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < -1000 || a > 1000) return 0;
    int q = a / 7, r = a % 7;
    if (q * 7 + r != a || (a < 0 && r > 0) || r <= -7 || r >= 7) reach_error();
    if (-7 / 2 != -3 || -7 % 2 != -1 || 7 / -2 != -3 || 7 % -2 != 1) reach_error();
}
