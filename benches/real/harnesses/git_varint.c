// root: libgit2-sys-0.18.8+1.9.7
// include: libgit2/src/util libgit2/include
// unwind: 12
// expected: true
#include "inputs.h"
#include "libgit2/src/util/varint.c"

int main(void)
{
    unsigned char out[10];
    size_t read = 0;
    unsigned value = __VERIFIER_nondet_uint();
    int written = git_encode_varint(out, sizeof out, value);
    if (written <= 0 || git_decode_varint(out, &read) != value || (int)read != written)
        fail("decoded");
    return 0;
}
