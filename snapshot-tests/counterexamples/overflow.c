/* --property no-overflow
   The failing operation with its operands. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    if (low == 939524096 && high == 2147483647)
        return (low + high) / 2;
    return 0;
}
