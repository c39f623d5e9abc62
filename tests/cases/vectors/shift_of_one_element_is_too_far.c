// verdict: FALSE(shift)
// check: shift
extern int __VERIFIER_nondet_int(void);
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
    v4 a = { 1, 2, 3, __VERIFIER_nondet_int() };
    a = 1 << a;
    return a[0];
}
