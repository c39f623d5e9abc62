// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), count = 0;
    if (n < 0 || n > 4 || m < 0 || m > 4) return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            count++;
    if (count > 16) reach_error();
    for (int k = 0; k < 3; k++)
        count--;
    if (count < -3) reach_error();
}
