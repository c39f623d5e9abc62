// verdict: TRUE
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int a[8];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 8) return 0;
    a[i] = 5;
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += a[k];
    if (sum != 5) reach_error();
}
