// verdict: TRUE
// check: unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), sum = 0;
    sum ^= x ? 0 : -x;
    sum ^= x > 100 || x < 1 ? 0 : x * 2 - 1;
    return sum;
}
