// verdict: TRUE
// decided-by: bmc k-induction symbolic-execution
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned total = 0;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++) total++;
    if (total != 4) reach_error();
}
