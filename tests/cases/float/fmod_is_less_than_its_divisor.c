// verdict: TRUE
// only: QF_ABVFP
extern void reach_error(void);
extern float fmodf(float, float);
extern double fmod(double, double), remainder(double, double);
int main(void) {
    for (int i = -50; i < 50; i++) {
        float x = i * 0.75f, r = fmodf(x, 3.0f);
        if (!(r > -3.0f && r < 3.0f) || (r < 0) != (x < 0 && r != 0)) reach_error();
        if (x > -3.0f && x < 3.0f && r != x) reach_error();
    }
    if (fmod(1e300, 7.0) != 1.0 || remainder(7.0, 4.0) != -1.0) reach_error();
    return 0;
}
