// root: onig_sys-69.9.3
// include: oniguruma/src
// define: HAVE_STDINT_H HAVE_SYS_TYPES_H SIZEOF_INT=4 SIZEOF_LONG=8 SIZEOF_VOIDP=8 SIZEOF_SIZE_T=8
// unwind: 10
// expected: true
#include "inputs.h"
#include "oniguruma/src/utf8.c"

int main(void)
{
    UChar in[7], *p = in, *end;
    size_t size = size_up_to(sizeof in);
    inputs(in, sizeof in);
    end = in + size;
    if (is_valid_mbc_string(in, end))
        while (p < end) {
            OnigCodePoint point = mbc_to_code(p, end);
            if (point >= 0x200000)
                fail("code point");
            p += mbc_enc_len(p);
        }
    return 0;
}
