// verdict: TRUE
extern void reach_error(void);
int main(void) {
    double d = 1.5;
    d = d * 2;
    int x = 4;
    if (x != 4) reach_error();
}
