// verdict: FALSE(uninit)
// check: uninit
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct { int a, b; int cells[2]; } z;
        if (i != 2 || __VERIFIER_nondet_int()) z.b = i;
        z.cells[0] = i;
        sum += z.b;
    }
    return sum;
}
