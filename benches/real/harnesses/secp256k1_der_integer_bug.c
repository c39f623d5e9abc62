// root: secp256k1-sys-0.14.1
// include: depend/secp256k1 depend/secp256k1/src depend/secp256k1/include
// bug: depend/secp256k1/src/ecdsa_impl.h s/if (rlen > 32) {/if (rlen > 33) {/
// unwind: 37
// expected: false
#include "inputs.h"
#include "depend/secp256k1/src/util.h"
#include "depend/secp256k1/src/scalar_impl.h"
#include "depend/secp256k1/src/field_impl.h"
#include "depend/secp256k1/src/group_impl.h"
#include "depend/secp256k1/src/ecmult_impl.h"
#include "depend/secp256k1/src/ecmult_const_impl.h"
#include "depend/secp256k1/src/ecmult_gen_impl.h"
#include "depend/secp256k1/src/ecdsa_impl.h"

int main(void)
{
    unsigned char in[36];
    const unsigned char *p = in;
    rustsecp256k1_v0_14_scalar number;
    inputs(in, sizeof in);
    rustsecp256k1_v0_14_der_parse_integer(&number, &p, in + sizeof in);
    return 0;
}
