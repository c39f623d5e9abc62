// verdict: FALSE(uninit)
// check: uninit
extern int __VERIFIER_nondet_int(void);
int main(void) {
    switch (__VERIFIER_nondet_int()) {
        int x = 5;
        case 1: return x;
    }
    return 0;
}
