extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int classify(int n) {
    switch (n) {
    case 1: n += 10;
    case 2: return n;
    case 5 ... 7: goto out;
    default: break;
    }
    return n > 0 && n < 100 ? -1 : 0;
out:
    return 1;
}
int main(void) {
    int (*f)(int) = classify;
    if (f(__VERIFIER_nondet_int()) == 11)
        reach_error();
    return 0;
}
