// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if ((a & b) + (a | b) != a + b) reach_error();
    if ((a ^ b) != ((a | b) & ~(a & b))) reach_error();
    if ((a & 1u) != a % 2u) reach_error();
    if ((a & -a) != 0 && a == 0) reach_error();
}
