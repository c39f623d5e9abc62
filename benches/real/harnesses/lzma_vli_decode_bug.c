// root: lzma-sys-0.1.20
// include: xz-5.2/src/liblzma/common xz-5.2/src/liblzma/api xz-5.2/src/common
// define: HAVE_STDBOOL_H HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STRING_H HAVE_LIMITS_H TUKLIB_SYMBOL_PREFIX=lzma_ NDEBUG
// bug: xz-5.2/src/liblzma/common/vli_decoder.c s/if (\*vli_pos == LZMA_VLI_BYTES_MAX)/if (*vli_pos == LZMA_VLI_BYTES_MAX + 1)/
// unwind: 14
// expected: false
#include "inputs.h"
#include "xz-5.2/src/liblzma/common/vli_decoder.c"

int main(void)
{
    uint8_t in[12];
    size_t read = 0, size = size_up_to(sizeof in);
    lzma_vli value = 0;
    inputs(in, sizeof in);
    if (lzma_vli_decode(&value, NULL, in, &read, size) == LZMA_OK && (read > 9 || value > LZMA_VLI_MAX))
        fail("value of 63 bits");
    return 0;
}
