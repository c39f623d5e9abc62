// verdict: TRUE
// decided-by: k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum(int depth) {
    int total = 0;
    for (int i = 0; i < 10; i++) {
        if (depth > 0 && __VERIFIER_nondet_int()) total = sum(depth - 1) + 1;
        if (total > 50) total = 50;
    }
    return total;
}
int main(void) {
    if (sum(__VERIFIER_nondet_int()) > 50) reach_error();
}
