// root: libquickjs-sys-0.10.0
// include: embed/quickjs
// unwind: 10
// expected: true
#include "inputs.h"
#include "embed/quickjs/cutils.c"

int main(void)
{
    uint8_t buf[UTF8_CHAR_LEN_MAX];
    const uint8_t *end;
    unsigned c = __VERIFIER_nondet_uint();
    __VERIFIER_assume(c < 0x80000000u);
    int n = unicode_to_utf8(buf, c);
    int back = unicode_from_utf8(buf, n, &end);
    if (back != (int)c || end != buf + n)
        fail("round trip");
    return 0;
}
