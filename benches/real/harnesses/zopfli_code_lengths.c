// root: zopfli-sys-0.1.0
// include: vendor/src/zopfli
// unwind: 12
// expected: true
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
    for (int i = 0; i < 8; i++)
        if (lengths[i] == 0 && symbols[i] != 0)
            fail("symbol");
    return 0;
}
