// verdict: FALSE(pointer-overflow)
// check: pointer-overflow
extern long __VERIFIER_nondet_long(void);
struct page { char bytes[4096]; } pages[4];
int main(void) {
    long n = __VERIFIER_nondet_long();
    if (n != 0 && n != 1L << 51) return 0;
    return pages - n == 0;
}
