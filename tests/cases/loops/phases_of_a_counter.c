// verdict: TRUE
// decided-by: k-induction
// At the loop head y is 500000 as long as x is smaller, and then equal to x.
extern void reach_error(void);
int main(void) {
    unsigned x = 0, y = 500000;
    while (x < 1000000) {
        if (x >= 500000) y++;
        x++;
    }
    if (x != y) reach_error();
}
