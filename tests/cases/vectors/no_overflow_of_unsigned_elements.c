// verdict: TRUE
// property: no-overflow
extern unsigned __VERIFIER_nondet_uint(void);
typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4su __attribute__((vector_size(16)));

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    v4su u = (v4su){x, x, x, x} * 3 + 1;
    v4si v = (v4si)(u >> 1) - 1;
    return v[1];
}
