// verdict: FALSE(division-by-zero)
// check: div-by-zero
extern int __VERIFIER_nondet_int(void);
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
    int x = __VERIFIER_nondet_int();
    v4si v = {1, 2, 3, 4};
    v = v / (v4si){1, 1, x, 1};
    return v[0];
}
