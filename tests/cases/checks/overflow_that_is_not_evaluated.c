// verdict: TRUE
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), least = -2147483647 - 1, sum = 0;
    sum ^= x == least ? 0 : x / -1;
    sum ^= x == least ? 0 : x % -1;
    sum ^= x == least ? 0 : -x;
    sum ^= x > 100 || x < -100 ? 0 : x << 3;
    sum ^= x > 100 || x < -100 ? 0 : x + 1 - x * 2;
    return sum;
}
