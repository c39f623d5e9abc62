// root: bzip2-sys-0.1.13+1.0.8
// include: bzip2-1.0.8
// bug: bzip2-1.0.8/huffman.c s/if (j > maxLen) tooLong = True/if (j > maxLen + 1) tooLong = True/
// unwind: 8
// expected: false
#include "inputs.h"
#define BZ_NO_STDIO
#include "bzip2-1.0.8/huffman.c"

void bz_internal_error(int code) { fail("internal error"); }

int main(void)
{
    Int32 frequency[4];
    UChar length[4];
    for (int i = 0; i < 4; i++)
        frequency[i] = __VERIFIER_nondet_uchar();
    BZ2_hbMakeCodeLengths(length, frequency, 4, 2);
    for (int i = 0; i < 4; i++)
        if (length[i] > 2)
            fail("code too long");
    return 0;
}
