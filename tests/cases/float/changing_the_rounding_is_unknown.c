// verdict: UNKNOWN
extern void reach_error(void);
extern int fesetround(int);
int main(void) {
    fesetround(0x800);
    double d = 1.0;
    if (d / 3.0 * 3.0 == 5.0) reach_error();
}
