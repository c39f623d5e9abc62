// verdict: UNKNOWN
extern void reach_error(void);
int main(void) {
    int a[3] = {1, 2, 3}, n = 0;
    while (n < 4 && a[n] != 0) n++; /* reads a[3] */
    if (n == 4) reach_error();
}
