// root: libquickjs-sys-0.10.0
// include: embed/quickjs
// unwind: 20
// expected: true
#include "inputs.h"
#include "embed/quickjs/cutils.c"

int main(void)
{
    DynBuf s;
    uint8_t data[5];
    inputs(data, 5);
    dbuf_init(&s);
    size_t n = size_up_to(5);
    if (dbuf_put(&s, data, n) || dbuf_putc(&s, 7) || dbuf_put_self(&s, 0, n)) {
        dbuf_free(&s);
        return 0;
    }
    if (s.size != 2 * n + 1 || s.buf[n] != 7)
        fail("size");
    for (size_t i = 0; i < n; i++)
        if (s.buf[n + 1 + i] != data[i])
            fail("copy");
    dbuf_free(&s);
    return 0;
}
