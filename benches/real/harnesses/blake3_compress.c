// root: blake3-1.8.7
// include: c
// define: BLAKE3_USE_NEON=0
// unwind: 20
// expected: true
#include "inputs.h"
#include "c/blake3_portable.c"

int main(void)
{
    uint32_t cv[8];
    uint8_t block[64], out[64];
    inputs(block, 64);
    for (int i = 0; i < 8; i++)
        cv[i] = __VERIFIER_nondet_uint();
    uint8_t len = __VERIFIER_nondet_uchar(), flags = __VERIFIER_nondet_uchar();
    blake3_compress_xof_portable(cv, block, len, __VERIFIER_nondet_ulong(), flags, out);
    blake3_compress_in_place_portable(cv, block, len, 0, flags);
    return 0;
}
