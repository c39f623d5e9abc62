// root: mozjpeg-sys-2.2.3
// include: vendor
// unwind: 10
// expected: true
#include "inputs.h"
#include <stdio.h>
#include "vendor/jfdctint.c"

int main(void)
{
    DCTELEM block[DCTSIZE2];
    for (int i = 0; i < DCTSIZE2; i++) {
        block[i] = i < 4 ? __VERIFIER_nondet_uchar() : 128;
        block[i] -= 128;
    }
    jpeg_fdct_islow(block);
    return 0;
}
