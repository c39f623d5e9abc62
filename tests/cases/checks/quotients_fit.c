// verdict: TRUE
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    short h = x;
    if (y != -1) x = x / y;
    else x = h / y;
    x = h % -1;
    return x / 2;
}
