// root: mbedtls-sys-auto-2.28.15
// include: vendor/include vendor/library
// bug: vendor/library/asn1parse.c s/if ((size_t) (end - \*p) < \*len)/if ((size_t) (end - *p) + 1 < *len)/
// unwind: 10
// expected: false
#include "inputs.h"
#include "vendor/library/asn1parse.c"

int main(void)
{
    unsigned char in[7], *p = in;
    unsigned sum = 0;
    mbedtls_asn1_bitstring bits;
    inputs(in, sizeof in);
    if (mbedtls_asn1_get_bitstring(&p, in + sizeof in, &bits) == 0)
        for (size_t i = 0; i < bits.len; i++)
            sum += bits.p[i];
    return sum == 1;
}
