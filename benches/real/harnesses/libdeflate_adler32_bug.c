// root: libdeflate-sys-1.26.1
// include: libdeflate libdeflate/lib
// bug: libdeflate/lib/adler32.c s/s2 += s1;/s2 += s1 + 1;/
// unwind: 20
// expected: false
#include "inputs.h"
#define LIBDEFLATE_FREESTANDING_CPU
#include "libdeflate/lib/adler32.c"

int main(void)
{
    unsigned char in[9];
    unsigned low = 1, high = 0;
    inputs(in, sizeof in);
    for (size_t i = 0; i < sizeof in; i++) {
        low = (low + in[i]) % 65521;
        high = (high + low) % 65521;
    }
    if (libdeflate_adler32(1, in, sizeof in) != (high << 16 | low))
        fail("sum");
    return 0;
}
