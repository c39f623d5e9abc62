// verdict: TRUE
// only: QF_ABVFP
extern void reach_error(void);
int main(void) {
    int n = 0;
    for (float t = 0.0f; t < 1.0f; t += 0.1f) n++;
    // The tenth sum exceeds 1 in single precision.
    if (n != 10) reach_error();
    double s = 0.0;
    for (int i = 0; i < 10; i++) s += 0.1;
    if (s == 1.0) reach_error();
    return 0;
}
