// verdict: FALSE(unreach-call)
// only: QF_ABVFP
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x > 1.0f && x < 1e30f && x + 1.0f == x) reach_error();
    return 0;
}
