// root: libz-sys-1.1.31
// include: src/zlib
// bug: src/zlib/inftrees.c s/if (left < 0) return -1;/if (left < -1) return -1;/
// unwind: 34
// expected: false
#include "inputs.h"
#include "src/zlib/zutil.h"
#include "src/zlib/inftrees.c"

int main(void)
{
    code table[16], *next = table;
    unsigned short lengths[4], work[4];
    unsigned bits = 3;
    for (int i = 0; i < 4; i++) {
        lengths[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(lengths[i] <= 3);
    }
    if (inflate_table(CODES, lengths, 4, &next, &bits, work) == 0 && next - table > 8)
        fail("table");
    return 0;
}
