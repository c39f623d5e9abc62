// root: libpng-sys-1.1.11
// include: vendor
// bug: vendor/pngtrans.c s/sp += 4; dp += 2;/sp += 5; dp += 2;/
// unwind: 14
// expected: false
#include "inputs.h"
#include "vendor/pngtrans.c"

int main(void)
{
    png_byte row[12];
    png_row_info info = { 3, 12, 0, 8, 2, 16 };
    inputs(row, sizeof row);
    info.bit_depth = __VERIFIER_nondet_uchar();
    info.channels = __VERIFIER_nondet_uchar();
    info.rowbytes = size_up_to(3) * 4;
    png_do_strip_channel(&info, row, __VERIFIER_nondet_uchar());
    return 0;
}
