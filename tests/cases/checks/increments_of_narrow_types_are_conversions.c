// verdict: TRUE
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
struct s { int small : 3; unsigned u : 3; _Bool b : 1; };
enum e { A, B };
int main(void) {
    short h = __VERIFIER_nondet_int();
    signed char c = h;
    _Bool b = h;
    enum e e = B;
    struct s s = { 3, 7, 1 };
    h++; h += h; h *= 2; c--; --c; c -= c; b++; s.small++; s.u++; s.b++; s.u *= s.u; e++;
    return h * c + b + e;
}
