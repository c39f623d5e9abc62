// verdict: FALSE(uninit)
// check: uninit
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0) x = 7;
        sum += x;
    }
    return sum;
}
