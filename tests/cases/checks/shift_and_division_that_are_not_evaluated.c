// verdict: TRUE
// check: shift,div-by-zero
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(), sum = 0;
    sum ^= n < 0 || n > 31 ? 0 : x >> n;
    sum ^= n < 0 || n > 31 ? 0 : 1 << n;
    sum ^= n == 0 ? 0 : x % n;
    sum ^= n == 0 || (x / n == 1);
    return sum;
}
