// root: mbedtls-sys-auto-2.28.15
// include: vendor/include vendor/library
// unwind: 10
// expected: true
#include "inputs.h"
#include "vendor/library/asn1parse.c"

int main(void)
{
    unsigned char in[8], *p = in;
    size_t size = size_up_to(sizeof in);
    int value = 0;
    inputs(in, sizeof in);
    if (mbedtls_asn1_get_int(&p, in + size, &value) == 0 && (p > in + size || value < 0))
        fail("within the buffer");
    return 0;
}
