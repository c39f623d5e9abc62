// root: brotli-sys-0.3.2
// include: brotli/include brotli
// bug: brotli/dec/huffman.c s/  while (table_size != goal_size) {/  while (table_size < 2 * goal_size) {/
// unwind: 20
// expected: false
#include "inputs.h"
#include "brotli/dec/huffman.c"

int main(void)
{
    HuffmanCode table[16];
    uint16_t values[4];
    unsigned symbols = __VERIFIER_nondet_uint();
    __VERIFIER_assume(symbols <= 4);
    for (int i = 0; i < 4; i++)
        values[i] = __VERIFIER_nondet_ushort();
    unsigned size = BrotliBuildSimpleHuffmanTable(table, 4, values, symbols);
    return size != 16;
}
