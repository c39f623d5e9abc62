/* Recursion is unrolled like a loop. 13! does not fit in 32 bits. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

static int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 13);
    if (factorial(n) / n != factorial(n - 1))
        reach_error();
    return 0;
}
