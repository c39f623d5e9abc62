// verdict: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
#define check(c) do { if (!(c)) reach_error(); } while (0)
int main(void) {
    double x = __VERIFIER_nondet_double();
    int nan = __builtin_isnan(x), inf = __builtin_isinf(x), finite = __builtin_isfinite(x), normal = __builtin_isnormal(x);
    check(nan == (x != x));
    check(nan + (inf != 0) + finite == 1);
    check(!normal || finite);
    check(!inf || x == __builtin_inf() || x == -__builtin_inf());
    check(__builtin_fpclassify(0, 1, 4, 3, 2, x) == 4 ? normal : 1);
    if (finite && !normal && x != 0.0) check(x > -2.3e-308 && x < 2.3e-308);
    check(__builtin_isunordered(x, 1.0) == nan);
    check(__builtin_fabs(x) >= 0.0 || nan);
    return 0;
}
