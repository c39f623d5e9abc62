// root: opusic-sys-0.7.7
// include: opus/include opus/celt opus/silk
// unwind: 10
// expected: true
#include "inputs.h"
#include "opus/silk/sort.c"

int main(void)
{
    opus_int32 a[6];
    opus_int idx[4];
    for (int i = 0; i < 6; i++)
        a[i] = __VERIFIER_nondet_int();
    silk_insertion_sort_increasing(a, idx, 6, 4);
    for (int i = 0; i < 3; i++)
        if (a[i] > a[i + 1])
            fail("order");
    return 0;
}
