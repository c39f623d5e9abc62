// root: expat-sys-2.1.6
// include: expat/lib
// bug: expat/lib/xmltok.c s/  if (c < 0x110000) {/  if (c < 0x11000000) {/
// unwind: 6
// expected: false
#include "inputs.h"
#include "expat/lib/xmltok.c"

int main(void)
{
    char out[4];
    int point = __VERIFIER_nondet_int(), size = XmlUtf8Encode(point, out);
    if (size == 4 && (unsigned char)out[0] > 0xf4)
        fail("first byte");
    return 0;
}
