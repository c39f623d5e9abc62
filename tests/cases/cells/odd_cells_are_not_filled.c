// verdict: FALSE(unreach-call)
// decided-by: bmc k-induction kiki
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[8];
int main(void) {
    for (int i = 0; i < 4; i++) a[2 * i] = 3;
    for (int i = 0; i < 4; i++)
        if (a[2 * i + 1] == 0) reach_error();
    return 0;
}
