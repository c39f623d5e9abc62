// verdict: TRUE
// only: QF_ABVFP
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern float floorf(float), ceilf(float), truncf(float), roundf(float), rintf(float);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x != x) return 0;
    if (!(floorf(x) <= x && x <= ceilf(x))) reach_error();
    if (truncf(x) != (x < 0 ? ceilf(x) : floorf(x))) reach_error();
    if (x >= -1000.0f && x <= 1000.0f && (int)x != (int)truncf(x)) reach_error();
    if (roundf(2.5f) != 3.0f || rintf(2.5f) != 2.0f) reach_error();
    return 0;
}
