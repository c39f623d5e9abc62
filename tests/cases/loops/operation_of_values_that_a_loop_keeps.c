// verdict: TRUE
// only: QF_AUFLIRA
// decided-by: impact
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int v = __VERIFIER_nondet_int(), w = __VERIFIER_nondet_int();
    int sum = 3;
    for (int k = 0; k < 1; k++) sum += (v & 63) & (w & 127);
    sum += __VERIFIER_nondet_int() & 7;
    if (sum > 3 + 63 + 7) reach_error();
    return 0;
}
