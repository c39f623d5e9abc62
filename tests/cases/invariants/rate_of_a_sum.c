// verdict: TRUE
// only: QF_AUFLIRA
// decided-by: k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);
// 0 <= sum <= 255 * i and -3 * i <= left <= 0: an iteration changes each by a bounded amount.
int main(void) {
    unsigned short n = __VERIFIER_nondet_ushort();
    int sum = 0, left = 0;
    for (int i = 0; i < n; i++) {
        sum += __VERIFIER_nondet_uchar();
        int step = __VERIFIER_nondet_int();
        if (1 <= step && step <= 3) left -= step;
    }
    if (sum < 0 || left > 0 || left < -200000) reach_error();
    return 0;
}
