// verdict: TRUE
// check: overflow,div-by-zero,shift,bounds,null,uninit,unsigned-overflow,conversion,pointer-overflow
extern unsigned __VERIFIER_nondet_uint(void);
int a[8], *p = a;
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    int sum, i;
    sum = 0;
    if (n > 8) n = 8;
    for (i = 0; i < (int)n; i++) { a[i] = i; sum += p[i] / (i + 1) << 1; }
    return sum % 5;
}
