// root: ducc-sys-0.1.2
// include: duktape
// unwind: 12
// expected: true
#include "inputs.h"
#include "duktape/duktape.c"

int main(void)
{
    duk_uint8_t b[7];
    const duk_uint8_t *p = b;
    duk_ucodepoint_t c = 0, x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x < 0x80000000u);
    int n = duk_unicode_encode_xutf8(x, b);
    if (n > 7 || n < 1)
        fail("size");
    if (!duk_unicode_decode_xutf8(0, &p, b, b + n, &c) || c != x)
        fail("round trip");
    return 0;
}
