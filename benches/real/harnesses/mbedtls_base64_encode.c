// root: mbedtls-sys-auto-2.28.15
// include: vendor/include vendor/library
// unwind: 10
// expected: true
#include "inputs.h"
#include "vendor/library/base64.c"
#include "vendor/library/constant_time.c"

int main(void)
{
    unsigned char in[6], out[9];
    size_t written = 0, size = size_up_to(sizeof in);
    inputs(in, sizeof in);
    if (mbedtls_base64_encode(out, sizeof out, &written, in, size) == 0 && size > 0 && (written % 4 != 0 || out[written] != 0))
        fail("padded");
    return 0;
}
