// verdict: TRUE
// decided-by: bmc k-induction kiki predicate impact
// Allocated blocks, a global array and an automatic one have cells of one type.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
int global[3];

int main(void) {
    int automatic[3];
    int *block = malloc(3 * sizeof(int)), *other = malloc(3 * sizeof(int));
    unsigned i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i > 2 || j > 2)
        return 0;
    global[i] = 1;
    automatic[j] = 2;
    block[i] = 3;
    other[j] = 4;
    if (global[i] != 1 || automatic[j] != 2 || block[i] != 3 || other[j] != 4)
        reach_error();
}
