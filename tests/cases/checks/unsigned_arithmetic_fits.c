// verdict: TRUE
// check: unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    unsigned char c = x;
    c++; c += 200;
    if (x >= y) x -= y;
    if (x < 1000 && y < 4000000000u) return x * 4294 + x + y > 7;
    return -(unsigned)0 + (x << 4) / 2 > 8;
}
