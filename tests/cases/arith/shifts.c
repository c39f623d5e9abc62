// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 30) return 0;
    if ((1 << n) <= 0 || ((1 << n) >> n) != 1) reach_error();
    if (-8 >> 1 != -4) reach_error();
    if (0x80000000u >> 31 != 1u) reach_error();
    unsigned long long x = 1;
    if ((x << 40) >> 38 != 4) reach_error();
    unsigned char one = 1;
    if ((one << 8) != 256) reach_error();
}
