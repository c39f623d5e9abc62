// root: miniz-sys-0.1.12
// include: .
// unwind: 12
// expected: true
#include "inputs.h"
#include "miniz.c"

int main(void)
{
    tdefl_sym_freq a[5];
    unsigned sum = 0;
    for (int i = 0; i < 5; i++) {
        a[i].m_sym_index = i;
        a[i].m_key = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(a[i].m_key > 0);
        if (i)
            __VERIFIER_assume(a[i].m_key >= a[i - 1].m_key);
    }
    tdefl_calculate_minimum_redundancy(a, 5);
    for (int i = 0; i < 5; i++) {
        if (a[i].m_key < 1 || a[i].m_key > 4)
            fail("length");
        sum += 16u >> a[i].m_key;
    }
    if (sum != 16)
        fail("Kraft");
    return 0;
}
