// root: libwebp-sys-0.14.4
// include: vendor vendor/src
// unwind: 40
// expected: true
#include "inputs.h"
#include "vendor/src/utils/huffman_utils.c"

int main(void)
{
    int lengths[4];
    HuffmanTables tables;
    HuffmanTablesSegment *s = &tables.root;
    HuffmanCode codes[32];
    for (int i = 0; i < 4; i++) {
        lengths[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(lengths[i] <= 4);
    }
    s->start = codes;
    s->curr_table = codes;
    s->next = 0;
    s->size = 32;
    tables.curr_segment = s;
    int size = VP8LBuildHuffmanTable(&tables, 3, lengths, 4);
    if (size > 32)
        fail("size");
    return 0;
}
