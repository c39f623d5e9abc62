// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int counter;
void count(int n) {
    if (n <= 0) return;
    counter++;
    count(n - 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 4) return 0;
    count(n);
    count(n);
    if (counter == 6) reach_error();
}
