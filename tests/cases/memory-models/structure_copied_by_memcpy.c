// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki predicate impact
// A copy of a structure, with a pointer in it, into a block.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node nodes[2];
    int i = __VERIFIER_nondet_int() & 1;
    nodes[0].value = 1;
    nodes[1].value = 2;
    nodes[0].next = &nodes[1];
    nodes[1].next = &nodes[0];
    struct node *copy = malloc(sizeof *copy);
    memcpy(copy, &nodes[i], sizeof *copy);
    copy->next->value = 9;
    if (copy->value == 2 && nodes[0].value == 9)
        reach_error();
}
