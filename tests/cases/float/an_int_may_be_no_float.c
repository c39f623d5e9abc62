// verdict: FALSE(unreach-call)
// only: QF_ABVFP
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 20000000) return 0;
    float f = i;
    if ((int)f != i) reach_error();
    return 0;
}
