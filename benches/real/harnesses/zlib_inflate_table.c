// root: libz-sys-1.1.31
// include: src/zlib
// unwind: 34
// expected: true
#include "inputs.h"
#include "src/zlib/zutil.h"
#include "src/zlib/inftrees.c"

int main(void)
{
    code table[32], *next = table;
    unsigned short lengths[5], work[5];
    unsigned bits = 3;
    for (int i = 0; i < 5; i++) {
        lengths[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(lengths[i] <= 4);
    }
    if (inflate_table(CODES, lengths, 5, &next, &bits, work) == 0 && (next - table > 24 || bits > 3))
        fail("table");
    return 0;
}
