// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[6];
int main(void) {
    int j = __VERIFIER_nondet_int();
    for (int i = 0; i < 6; i++) a[i] = 7;
    if (j >= 0 && j < 6) a[j] = 8;
    for (int i = 0; i < 6; i++)
        if (a[i] != 7) reach_error();
    return 0;
}
