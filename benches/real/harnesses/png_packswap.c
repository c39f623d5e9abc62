// root: libpng-sys-1.1.11
// include: vendor
// unwind: 10
// expected: true
#include "inputs.h"
#include "vendor/pngtrans.c"

int main(void)
{
    png_byte row[6], old[6];
    png_row_info info = { 6, 6, 0, 1, 1, 1 };
    inputs(row, sizeof row);
    memcpy(old, row, sizeof row);
    png_byte depth = __VERIFIER_nondet_uchar();
    info.bit_depth = depth;
    png_do_packswap(&info, row);
    png_do_packswap(&info, row);
    if (memcmp(old, row, sizeof row) != 0)
        fail("its own inverse");
    return 0;
}
