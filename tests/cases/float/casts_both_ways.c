// verdict: TRUE
// only: QF_ABVFP
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    double d = i;
    if ((int)d != i) reach_error();
    float f = i;
    if (i >= -16777216 && i <= 16777216 && (int)f != i) reach_error();
    if ((float)d != f) reach_error();
    return 0;
}
