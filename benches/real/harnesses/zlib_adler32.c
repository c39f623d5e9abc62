// root: libz-sys-1.1.31
// include: src/zlib
// unwind: 26
// expected: true
#include "inputs.h"
#include "src/zlib/adler32.c"

int main(void)
{
    unsigned char in[20];
    unsigned low = 1, high = 0;
    size_t size = size_up_to(sizeof in);
    inputs(in, sizeof in);
    for (size_t i = 0; i < size; i++) {
        low = (low + in[i]) % 65521;
        high = (high + low) % 65521;
    }
    if (adler32_z(1, in, size) != (high << 16 | low))
        fail("sum");
    return 0;
}
