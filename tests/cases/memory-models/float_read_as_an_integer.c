// verdict: TRUE
// decided-by: bmc k-induction kiki predicate impact
// only: QF_ABVFP,QF_UFBVFP,ABVFP,UFBVFP
// Strict aliasing is not assumed: a write of a float changes what is read as an integer.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int cells[2];

int main(void) {
    int i = __VERIFIER_nondet_int() & 1;
    cells[i] = 5;
    *(float *)&cells[i] = 1.0f;
    if (cells[i] != 0x3f800000)
        reach_error();
}
