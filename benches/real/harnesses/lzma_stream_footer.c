// root: lzma-sys-0.1.20
// include: xz-5.2/src/liblzma/common xz-5.2/src/liblzma/api xz-5.2/src/common xz-5.2/src/liblzma/check
// define: HAVE_STDBOOL_H HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STRING_H HAVE_LIMITS_H TUKLIB_SYMBOL_PREFIX=lzma_ NDEBUG
// unwind: 14
// expected: true
#include "inputs.h"
#include "xz-5.2/src/liblzma/common/stream_flags_decoder.c"
#include "xz-5.2/src/liblzma/common/stream_flags_common.c"
#include "xz-5.2/src/liblzma/check/crc32_table.c"
#include "xz-5.2/src/liblzma/check/crc32_fast.c"

int main(void)
{
    uint8_t in[LZMA_STREAM_HEADER_SIZE];
    lzma_stream_flags flags;
    inputs(in, sizeof in);
    if (lzma_stream_footer_decode(&flags, in) == LZMA_OK && (flags.backward_size < 4 || flags.check > 15))
        fail("flags");
    return 0;
}
