// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
    int x = __VERIFIER_nondet_int();
    v4si v = {1, x, 3, 4};
    v = -v;
    return v[0];
}
