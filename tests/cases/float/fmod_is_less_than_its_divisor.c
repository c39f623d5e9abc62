// verdict: TRUE
// only: QF_ABVFP
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern float fmodf(float, float);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= 2.0f && x <= 4.0f)) return 0;
    float r = fmodf(x, 3.0f);
    if (!(r >= 0.0f && r < 3.0f)) reach_error();
    if (x < 3.0f && r != x) reach_error();
    return 0;
}
