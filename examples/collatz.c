/* The Collatz sequence of 27 is long but fixed: constant folding in the unrolling decides it without a solver. */
extern void reach_error(void);

int main(void) {
    unsigned long long n = 27;
    int steps = 0;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        steps++;
    }
    if (steps != 111)
        reach_error();
    return 0;
}
