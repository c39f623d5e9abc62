// verdict: TRUE
// check: pointer-compare
extern _Bool __VERIFIER_nondet_bool(void);
int a[4], b[4];
int main(void) {
    int *p = __VERIFIER_nondet_bool() ? a : b, *q = __VERIFIER_nondet_bool() ? a : b;
    return p == q || p != a;
}
