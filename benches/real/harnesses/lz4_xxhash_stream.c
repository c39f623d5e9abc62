// root: lz4-sys-1.11.1+lz4-1.10.0
// include: liblz4/lib
// unwind: 20
// expected: true
#include "inputs.h"
#include "liblz4/lib/xxhash.c"

int main(void)
{
    unsigned char in[12];
    XXH32_state_t state;
    unsigned seed = __VERIFIER_nondet_uint();
    inputs(in, sizeof in);
    XXH32_reset(&state, seed);
    XXH32_update(&state, in, 5);
    XXH32_update(&state, in + 5, 7);
    if (XXH32_digest(&state) != XXH32(in, 12, seed))
        fail("digest");
    return 0;
}
