// root: opusic-sys-0.7.7
// include: opus/include opus/celt opus/silk
// unwind: 16
// expected: true
#include "inputs.h"
#include "opus/celt/entdec.c"

int main(void)
{
    unsigned char buf[6];
    ec_dec dec;
    inputs(buf, sizeof buf);
    ec_dec_init(&dec, buf, sizeof buf);
    unsigned ft = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(ft > 1);
    for (int i = 0; i < 3; i++)
        if (ec_dec_uint(&dec, ft) >= ft)
            fail("range");
    return 0;
}
