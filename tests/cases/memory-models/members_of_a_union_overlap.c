// verdict: TRUE
// decided-by: bmc k-induction kiki predicate impact
// A union of members of different sizes beside an array of the type of one of them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
union {
    int word;
    short halves[2];
} mixed[2];
int words[2];

int main(void) {
    int i = __VERIFIER_nondet_int() & 1;
    mixed[i].word = 0x10002;
    words[i] = 3;
    mixed[i].halves[1] = 4;
    if (mixed[i].word != 0x40002 || words[i] != 3)
        reach_error();
}
