// verdict: FALSE(bounds)
// check: bounds
extern unsigned __VERIFIER_nondet_uint(void);
typedef int v4si __attribute__((vector_size(16)));

int main(void) {
    v4si v = {5, 6, 7, 8};
    unsigned i = __VERIFIER_nondet_uint() % 5;
    return v[i];
}
