// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki predicate impact
// Two arrays of one size of elements, one of which is accessed with both signs.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int numbers[4];
unsigned naturals[4];

int main(void) {
    int i = __VERIFIER_nondet_int() & 3, j = __VERIFIER_nondet_int() & 3;
    numbers[i] = -1;
    naturals[j] = 7;
    unsigned *alias = (unsigned *)numbers;
    if (alias[j] == 0xffffffffu && naturals[j] == 7)
        reach_error();
}
