// verdict: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
    if (!(x >= 0.0f && x <= 1.0f && y >= 0.0f && y <= 1.0f)) return 0;
    float z = x + y;
    if (!(z >= x && z >= y && z <= 2.0f)) reach_error();
    return 0;
}
