// verdict: FALSE(unreach-call)
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
typedef int v4si __attribute__((vector_size(16)));

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 4;
    v4si v = {5, 6, 7, 8};
    v[i] = 1;
    if ((v + 1)[i] != 2) return 0;
    if (v[0] + v[1] + v[2] + v[3] == 20) reach_error();
    return 0;
}
