// root: lzma-sys-0.1.20
// include: xz-5.2/src/liblzma/common xz-5.2/src/liblzma/api xz-5.2/src/common xz-5.2/src/liblzma/simple
// define: HAVE_STDBOOL_H HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STRING_H HAVE_LIMITS_H TUKLIB_SYMBOL_PREFIX=lzma_ NDEBUG
// bug: xz-5.2/src/liblzma/simple/arm.c s/i + 4 <= size; i += 4/i + 3 <= size; i += 4/
// unwind: 14
// expected: false
#include "inputs.h"
#include <stdlib.h>
#include "xz-5.2/src/liblzma/simple/arm.c"

lzma_ret lzma_simple_coder_init(lzma_next_coder *next, const lzma_allocator *allocator, const lzma_filter_info *filters,
    size_t (*filter)(void *, uint32_t, bool, uint8_t *, size_t), size_t simple_size, size_t unfiltered_max, uint32_t alignment, bool is_encoder)
{
    return LZMA_OK;
}

int main(void)
{
    size_t size = size_up_to(12);
    uint8_t *buffer = malloc(size);
    if (!buffer)
        return 1;
    for (size_t i = 0; i < size; i++)
        buffer[i] = __VERIFIER_nondet_uchar();
    arm_code(NULL, __VERIFIER_nondet_uint(), true, buffer, size);
    free(buffer);
    return 0;
}
