// verdict: TRUE
// decided-by: bmc k-induction kiki predicate impact
// Fields of one type in an array of structures, written through an index.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair {
    int first;
    char tag;
    int second;
} pairs[3];

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    pairs[i].second = 7;
    pairs[i].tag = 1;
    pairs[i].first = 5;
    if (pairs[i].second != 7 || pairs[i].tag != 1)
        reach_error();
}
