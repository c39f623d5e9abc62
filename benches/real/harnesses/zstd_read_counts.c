// root: zstd-sys-2.1.3+zstd.1.5.7
// include: zstd/lib zstd/lib/common
// define: DYNAMIC_BMI2=0 ZSTD_DISABLE_ASM
// unwind: 12
// expected: true
#include "inputs.h"
#include "zstd/lib/common/entropy_common.c"

size_t FSE_decompress_wksp_bmi2(void *dst, size_t capacity, const void *src, size_t size, unsigned log, void *space, size_t space_size, int bmi2)
{
    return 0;
}
const char *ERR_getErrorString(ERR_enum code) { return ""; }

int main(void)
{
    unsigned char in[8];
    short counts[8];
    unsigned symbols = 7, log = 0;
    inputs(in, sizeof in);
    size_t result = FSE_readNCount(counts, &symbols, &log, in, sizeof in);
    if (!FSE_isError(result) && (result > sizeof in || symbols > 7))
        fail("counts");
    return 0;
}
