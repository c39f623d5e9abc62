// verdict: FALSE(unreach-call)
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int a[8];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    if (i >= 8 || j >= 8) return 0;
    a[i] = 5;
    a[j] += 3;
    if (a[2] == 8) reach_error();
}
