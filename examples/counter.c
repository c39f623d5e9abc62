/* An unbounded loop: UNKNOWN by bounded model checking, proved by --algorithm k-induction, predicate and impact.
 * CHC solvers solve the clauses of hornwork emit examples/counter.c --to chc --encoding QF_AUFLIRA  immediately. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_bool() && x < 1000000) {
        x += 1;
        y += 2;
    }
    if (y != 2 * x)
        reach_error();
    return 0;
}
