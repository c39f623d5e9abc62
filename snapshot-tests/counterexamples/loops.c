/* Loops of a long trace are folded. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int sum = 0;
    for (int i = 0; i < 40; i++) {
        if (i % 2 == 0)
            sum += i;
        else
            sum -= 1;
        for (int j = 0; j < 5; j++)
            sum++;
    }
    if (__VERIFIER_nondet_int() == sum)
        reach_error();
    return 0;
}
