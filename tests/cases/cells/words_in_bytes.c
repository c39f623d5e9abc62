// verdict: TRUE
// decided-by: kiki
// only: QF_ABVFP,QF_AUFLIRA
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
unsigned char memory[4096];
int main(void) {
    int n = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000 || at < 0 || at >= 4096) return 0;
    int *a = (int *)memory;
    memory[at] = 1;
    for (int i = 0; i < n; i++) a[i] = 7;
    for (int i = 0; i < n; i++)
        if (a[i] != 7) reach_error();
    return 0;
}
