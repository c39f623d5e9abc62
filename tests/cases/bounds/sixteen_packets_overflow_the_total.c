// verdict: FALSE(unreach-call)
// decided-by: bmc
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
    unsigned total = 0;
    for (int packet = 0; packet < 16; packet++) {
        unsigned char length = __VERIFIER_nondet_uchar();
        if (length > 2) return 0;
        for (int i = 0; i < length; i++) total += packet;
    }
    if (total == 240) reach_error();
}
