// verdict: TRUE
// only: QF_ABVFP
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern float sqrtf(float);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x < 0.0f && sqrtf(x) == sqrtf(x)) reach_error();
    if (sqrtf(16.0f) != 4.0f) reach_error();
    if (x >= 1.0f && x <= 4.0f) {
        float r = sqrtf(x);
        if (!(r >= 1.0f && r <= 2.0f)) reach_error();
    }
    return 0;
}
