// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);
int main(void) {
    unsigned short a = __VERIFIER_nondet_ushort(), b = __VERIFIER_nondet_ushort();
    if (a > 1 && b > 1 && (unsigned)a * b == 4087) reach_error();
}
