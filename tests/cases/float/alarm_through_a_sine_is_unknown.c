// verdict: UNKNOWN
extern void reach_error(void);
extern double sin(double);
int main(void) {
    double d = sin(0.5);
    if (d > 0.4) reach_error();
}
