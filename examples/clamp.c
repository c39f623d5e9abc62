/* A correct clamp: every loop is bounded, so bounded model checking proves it. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int clamp(int value, int low, int high) {
    if (value < low)
        return low;
    return value > high ? high : value;
}

int main(void) {
    int samples[4];
    for (int i = 0; i < 4; i++)
        samples[i] = clamp(__VERIFIER_nondet_int(), -100, 100);

    long sum = 0;
    for (int i = 0; i < 4; i++)
        sum += samples[i];
    if (sum < -400 || sum > 400)
        reach_error();
    return 0;
}
