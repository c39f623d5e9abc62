// root: secp256k1-sys-0.14.1
// include: depend/secp256k1 depend/secp256k1/src depend/secp256k1/include
// unwind: 10
// expected: true
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
    unsigned char in[6];
    const unsigned char *p = in;
    size_t length, size = size_up_to(sizeof in);
    inputs(in, sizeof in);
    if (rustsecp256k1_v0_14_der_read_len(&length, &p, in + size) && length >= 128)
        fail("too long for the buffer");
    return 0;
}
