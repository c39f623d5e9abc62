// root: lzma-sys-0.1.20
// include: xz-5.2/src/liblzma/common xz-5.2/src/liblzma/api xz-5.2/src/common
// define: HAVE_STDBOOL_H HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STRING_H HAVE_LIMITS_H TUKLIB_SYMBOL_PREFIX=lzma_ NDEBUG
// unwind: 12
// expected: true
#include "inputs.h"
#include "xz-5.2/src/liblzma/common/vli_encoder.c"
#include "xz-5.2/src/liblzma/common/vli_decoder.c"

int main(void)
{
    uint8_t out[9];
    size_t written = 0, read = 0;
    lzma_vli value = __VERIFIER_nondet_ulong(), back = 0;
    if (lzma_vli_encode(value, NULL, out, &written, sizeof out) == LZMA_OK) {
        lzma_ret result = lzma_vli_decode(&back, NULL, out, &read, written);
        if (result != LZMA_OK || back != value || read != written)
            fail("decoded");
    }
    return 0;
}
