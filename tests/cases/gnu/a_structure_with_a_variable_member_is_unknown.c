// verdict: UNKNOWN
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3) return 0;
    struct { int a[n]; int b; } s;
    s.b = 1;
    if (s.b != 1) reach_error();
    return 0;
}
