// verdict: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float(), zero = 0.0f;
    float nan = zero / zero;
    if (x < nan || x > nan || x <= nan || x >= nan || x == nan) reach_error();
    if (!(x != nan)) reach_error();
    if (!(nan != nan)) reach_error();
    return 0;
}
