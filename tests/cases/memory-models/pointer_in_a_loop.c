// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki predicate impact
// A pointer moves through an array in a loop and leaves a trace in a structure.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct counter {
    short steps;
    int last;
} counter;
int numbers[3];

int main(void) {
    for (int *p = numbers; p < numbers + 3; p++) {
        if (__VERIFIER_nondet_int())
            *p = ++counter.steps;
        counter.last = *p;
    }
    if (counter.last == 2 && counter.steps == 2 && numbers[0] == 0)
        reach_error();
}
