// root: argon2-sys-0.1.0
// include: argon2/include argon2/src
// unwind: 12
// expected: true
#include "inputs.h"
#include "argon2/src/encoding.c"

int main(void)
{
    uint32_t n = __VERIFIER_nondet_uint();
    size_t len = numlen(n);
    unsigned long bound = 1;
    for (size_t i = 0; i < len; i++)
        bound *= 10;
    if (n >= bound || (n >= 10 && n < bound / 10))
        fail("length");
    return 0;
}
