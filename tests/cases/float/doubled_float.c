// verdict: TRUE
extern void reach_error(void);
int main(void) {
    double d = 1.5;
    if (d * 2 == 4.0) reach_error();
}
