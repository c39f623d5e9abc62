// verdict: TRUE
// only: QF_ABVFP,ABVFP,QF_AUFLIRA,AUFLIRA
// decided-by: k-induction kiki predicate impact
// Two arrays of one type; a loop writes one of them, and the other one keeps its contents.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int written[4], kept[4];

int main(void) {
    unsigned i = __VERIFIER_nondet_int();
    if (i > 3)
        return 0;
    kept[i] = 7;
    while (__VERIFIER_nondet_int()) {
        unsigned j = __VERIFIER_nondet_int();
        if (j > 3)
            break;
        written[j] = 8;
    }
    if (kept[i] != 7)
        reach_error();
}
