// verdict: TRUE
// decided-by: k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int counter;
void count(int n) {
    if (n <= 0) return;
    counter++;
    count(n - 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int(), start = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000 || start < 0 || start > 1000) return 0;
    counter = start;
    count(n);
    if (counter != start + n) reach_error();
}
