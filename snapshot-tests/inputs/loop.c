extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        x += 1;
        y += 2;
    }
    if (y != 2 * x)
        reach_error();
    return 0;
}
