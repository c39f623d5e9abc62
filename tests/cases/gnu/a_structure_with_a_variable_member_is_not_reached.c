// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int f(int n) {
    if (n < 1) return 0;
    struct part { int a[n]; int b; };
    struct { int c; struct part p; } s;
    if (sizeof s == 0) reach_error();
    return s.p.b;
}
int main(void) { return f(__VERIFIER_nondet_int() < 0 ? 0 : -1); }
