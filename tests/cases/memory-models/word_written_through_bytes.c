// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki predicate impact
// A pointer to bytes changes an element of an array of words.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
unsigned words[4];

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 15)
        return 0;
    ((unsigned char *)words)[i] = 2;
    if (words[1] == 0x20000)
        reach_error();
}
