// root: minimp3-sys-0.6.0
// include: minimp3
// define: MINIMP3_IMPLEMENTATION MINIMP3_NO_SIMD
// unwind: 12
// expected: true
#include "inputs.h"
#include "minimp3/minimp3.h"

int main(void)
{
    unsigned char b[6];
    bs_t bs[1];
    inputs(b, sizeof b);
    bs_init(bs, b, sizeof b);
    for (int i = 0; i < 4; i++) {
        int n = (int)size_up_to(16);
        __VERIFIER_assume(n > 0);
        if (get_bits(bs, n) >> n)
            fail("bits");
    }
    return 0;
}
