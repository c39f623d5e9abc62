// root: mbedtls-sys-auto-2.28.15
// include: vendor/include vendor/library
// bug: vendor/library/asn1parse.c s/if (\*len > (size_t) (end - \*p))/if (*len > (size_t) (end - *p) + 1)/
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
    int result = mbedtls_asn1_get_bitstring(&p, in + sizeof in, &bits);
    if (result == 0 || result == MBEDTLS_ERR_ASN1_LENGTH_MISMATCH)
        for (size_t i = 0; i < bits.len; i++)
            sum += bits.p[i];
    return sum == 1;
}
