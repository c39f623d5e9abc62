// verdict: TRUE
// check: shift
extern int __VERIFIER_nondet_int(void);
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 31) return 0;
    v4 a = { -1, 2, 3, x };
    a = a >> 31;
    a = a << x;
    return a[0];
}
