// verdict: TRUE
// decided-by: k-induction kiki
// The loop leaves nothing but its end, which it never reaches for odd inputs.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned bound = __VERIFIER_nondet_int();
    for (unsigned even = 0; even != bound; even += 2) { }
    if (bound % 2 == 1) reach_error();
    return 0;
}
