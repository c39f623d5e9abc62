// root: zopfli-sys-0.1.0
// include: vendor/src/zopfli
// bug: vendor/src/zopfli/tree.c s/malloc(sizeof(size_t) \* (maxbits + 1))/malloc(sizeof(size_t) * maxbits)/
// unwind: 12
// expected: false
#include "inputs.h"
#include "vendor/src/zopfli/tree.c"

int main(void)
{
    unsigned lengths[8], symbols[8];
    for (int i = 0; i < 8; i++) {
        lengths[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(lengths[i] <= 7);
    }
    ZopfliLengthsToSymbols(lengths, 8, 7, symbols);
    return 0;
}
