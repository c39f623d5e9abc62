// verdict: TRUE
// check: div-by-zero
extern int __VERIFIER_nondet_int(void);
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
    int x = __VERIFIER_nondet_int();
    v4si v = {x, 0, x, 4};
    v = (v + 2147483647) % (v4si){1, -1, 2, 3};
    v = v * (v4si){0, 0, 0, 0} - -v;
    return v[0];
}
