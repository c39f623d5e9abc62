// verdict: FALSE(unreach-call)
// decided-by: bmc
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x < 2 || x > 12 || y < 2 || y > 4000) return 0;
    if (x * y == 143) reach_error();
}
