// verdict: TRUE
// check: uninit
extern int __VERIFIER_nondet_int(void);
struct s { int a, b; };
int twice(int x) { int r; r = 2 * x; return r; }
int main(void) {
    int x, y, z = __VERIFIER_nondet_int();
    struct s s, t = { 1 };
    if (z > 3) x = 1; else x = 2;
    y = x + t.b;
    s.a = 3;
    s = t;
    int k;
    for (k = 0; k < 3; k++) { int w; w = k; y += w; }
    if (z > 5) z = k;
    int unused;
    return y > 3 && x || s.b + twice(z) > 1;
}
