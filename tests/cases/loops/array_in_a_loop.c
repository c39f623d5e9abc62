// verdict: TRUE
// decided-by: bmc k-induction symbolic-execution
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a[4];
    for (int i = 0; i < 4; i++) a[i] = i;
    for (int i = 0; i < 4; i++)
        if (a[i] != i) reach_error();
}
