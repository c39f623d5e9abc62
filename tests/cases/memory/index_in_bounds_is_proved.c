// verdict: TRUE
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    int a[8];
    for (int i = 0; i < 8; i++) a[i] = i;
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 8 && a[i] != (int)i) reach_error();
}
