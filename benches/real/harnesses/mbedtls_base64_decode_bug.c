// root: mbedtls-sys-auto-2.28.15
// include: vendor/include vendor/library
// bug: vendor/library/base64.c s/dst == NULL || dlen < n/dst == NULL || dlen + 1 < n/
// unwind: 10
// expected: false
#include "inputs.h"
#include "vendor/library/base64.c"
#include "vendor/library/constant_time.c"

int main(void)
{
    unsigned char in[8], out[5];
    size_t written = 0, size = size_up_to(sizeof in);
    inputs(in, sizeof in);
    mbedtls_base64_decode(out, sizeof out, &written, in, size);
    return 0;
}
