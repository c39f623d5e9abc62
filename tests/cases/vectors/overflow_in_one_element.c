// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4su __attribute__((vector_size(16)));

int main(void) {
    int x = __VERIFIER_nondet_int();
    v4su u = (v4su){x, x, x, x} + 1;
    v4si v = {1, 2, x, 4};
    v = v + (v4si){(int)(u[0] >> 31), 0, 1, 0};
    return v[0];
}
