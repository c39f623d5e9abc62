/* A recursive function with an accumulator: k-induction proves it by its contract. */

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int sum(int m, int n) {
    return n == 0 ? m : sum(m + 1, n - 1);
}

int main(void) {
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (n >= 0 && m >= 0 && m < 1000 && n < 1000 && sum(m, n) != m + n)
        reach_error();
}
