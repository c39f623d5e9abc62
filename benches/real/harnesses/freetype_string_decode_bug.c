// root: freetype-sys-0.23.0
// include: freetype2/include freetype2/src/psaux
// define: FT2_BUILD_LIBRARY
// bug: freetype2/src/psaux/psconv.c s/n \*= 2;/n *= 2, n++;/
// unwind: 12
// expected: false
#include "inputs.h"
#include "freetype2/src/psaux/psconv.c"

int main(void)
{
    FT_Byte in[10], out[4], *p = in;
    inputs(in, sizeof in);
    FT_UInt written = PS_Conv_ASCIIHexDecode(&p, in + sizeof in, out, sizeof out);
    if (written > sizeof out)
        fail("written");
    return 0;
}
