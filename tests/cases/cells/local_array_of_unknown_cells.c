// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction predicate
extern void reach_error(void);
int sum(int *p, int *q) { return *p + *q; }
int main(void) {
    int a[100000], b[100000];
    a[7] = 1;
    b[7] = 2;
    if (sum(&a[7], &b[7]) != 3) return 0;
    if (sum(&a[8], &b[8]) == 3) reach_error();
    return 0;
}
