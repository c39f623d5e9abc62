// verdict: TRUE
// only: QF_ABVFP
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern double sin(double), exp(double);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x - x == 0.0 && !(sin(x) >= -1.0 && sin(x) <= 1.0)) reach_error();
    if (x == x && exp(x) < 0.0) reach_error();
    return 0;
}
