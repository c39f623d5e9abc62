// root: lz4-sys-1.11.1+lz4-1.10.0
// include: liblz4/lib
// unwind: 20
// expected: true
#include "inputs.h"
#include "liblz4/lib/lz4.c"

int main(void)
{
    char in[6], out[10];
    inputs(in, sizeof in);
    int written = LZ4_decompress_safe(in, out, sizeof in, sizeof out);
    if (written > (int)sizeof out)
        fail("within the buffer");
    return 0;
}
