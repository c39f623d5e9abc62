// root: zopfli-sys-0.1.0
// include: vendor/src/zopfli
// unwind: 16
// expected: true
#include "inputs.h"
#include "vendor/src/zopfli/katajainen.c"

int main(void)
{
    size_t f[3];
    unsigned lengths[3];
    for (int i = 0; i < 3; i++)
        f[i] = __VERIFIER_nondet_uchar();
    if (ZopfliLengthLimitedCodeLengths(f, 3, 3, lengths))
        return 0;
    unsigned sum = 0;
    for (int i = 0; i < 3; i++) {
        if (lengths[i] > 3)
            fail("length");
        if (lengths[i])
            sum += 8u >> lengths[i];
    }
    if (sum > 8)
        fail("Kraft");
    return 0;
}
