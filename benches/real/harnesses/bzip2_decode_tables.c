// root: bzip2-sys-0.1.13+1.0.8
// include: bzip2-1.0.8
// unwind: 24
// expected: true
#include "inputs.h"
#define BZ_NO_STDIO
#include "bzip2-1.0.8/huffman.c"

void bz_internal_error(int code) { fail("internal error"); }

int main(void)
{
    Int32 limit[BZ_MAX_CODE_LEN], base[BZ_MAX_CODE_LEN], perm[5];
    UChar length[5];
    for (int i = 0; i < 5; i++) {
        length[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(length[i] >= 1 && length[i] <= 20);
    }
    BZ2_hbCreateDecodeTables(limit, base, perm, length, 1, 20, 5);
    return 0;
}
