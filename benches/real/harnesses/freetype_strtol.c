// root: freetype-sys-0.23.0
// include: freetype2/include freetype2/src/psaux
// define: FT2_BUILD_LIBRARY
// unwind: 12
// expected: true
#include "inputs.h"
#include "freetype2/src/psaux/psconv.c"

int main(void)
{
    FT_Byte in[9], *p = in;
    size_t size = size_up_to(sizeof in);
    FT_Long base = __VERIFIER_nondet_uchar();
    inputs(in, sizeof in);
    FT_Long number = PS_Conv_Strtol(&p, in + size, base);
    if (number > 0x7FFFFFFF || number < -0x7FFFFFFF || p > in + size)
        fail("number");
    return 0;
}
