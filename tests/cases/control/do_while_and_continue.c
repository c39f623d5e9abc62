// verdict: TRUE
extern void reach_error(void);
int main(void) {
    int i = 0, odd = 0;
    do {
        i++;
        if (i % 2 == 0) continue;
        odd += i;
    } while (i < 9);
    if (odd != 25) reach_error();
}
