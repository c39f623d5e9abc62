// root: onig_sys-69.9.3
// include: oniguruma/src
// define: HAVE_STDINT_H HAVE_SYS_TYPES_H SIZEOF_INT=4 SIZEOF_LONG=8 SIZEOF_VOIDP=8 SIZEOF_SIZE_T=8
// bug: oniguruma/src/utf8.c s/        if (p == end)/        if (p == end + 1)/
// unwind: 10
// expected: false
#include "inputs.h"
#include "oniguruma/src/utf8.c"

int main(void)
{
    UChar in[6];
    inputs(in, sizeof in);
    return is_valid_mbc_string(in, in + sizeof in);
}
