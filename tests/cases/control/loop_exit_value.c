// verdict: FALSE(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), i;
    for (i = 0; i < n; i++)
        if (i == 7) break;
    if (i == 7 && n > 10) reach_error();
}
