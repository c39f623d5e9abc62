// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) {
    int r = 0;
    switch (n) {
    case 1: r += 1;
    case 2: r += 2; break;
    default: r = 100;
    case 3: r += 3; break;
    case 10 ... 20: r = 50;
    }
    return r;
}
int main(void) {
    if (f(1) != 3 || f(2) != 2 || f(3) != 3 || f(4) != 103 || f(15) != 50) reach_error();
    int n = __VERIFIER_nondet_int();
    int r = f(n);
    if (r != 3 && r != 2 && r != 103 && r != 50) reach_error();
}
