// verdict: TRUE
// decided-by: k-induction predicate impact
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[3] = {4, 5};
int at(int *p, unsigned i) { return p[i]; }
int main(void) {
    int a[100000], b[100000];
    a[7] = 1;
    b[7] = 2;
    while (__VERIFIER_nondet_int())
        if (at(a, 7) != 1 || at(b, 7) != 2 || at(table, 1) != 5 || at(table, 2) != 0) reach_error();
    return 0;
}
