// root: miniz-sys-0.1.12
// include: .
// unwind: 14
// expected: true
#include "inputs.h"
#include "miniz.c"

int main(void)
{
    unsigned char b[10];
    size_t n = size_up_to(sizeof b), k = size_up_to(sizeof b);
    __VERIFIER_assume(k <= n);
    inputs(b, sizeof b);
    mz_ulong whole = mz_adler32(1, b, n), part = mz_adler32(mz_adler32(1, b, k), b + k, n - k);
    if (whole != part)
        fail("adler");
    return 0;
}
