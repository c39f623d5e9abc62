// root: brotli-sys-0.3.2
// include: brotli/include brotli
// unwind: 10
// expected: true
#include "inputs.h"
#include "brotli/enc/utf8_util.c"

int main(void)
{
    uint8_t in[8];
    size_t size = size_up_to(sizeof in), i = 0;
    inputs(in, sizeof in);
    while (i < size) {
        int symbol;
        size_t read = BrotliParseAsUTF8(&symbol, in + i, size - i);
        if (read == 0 || read > size - i)
            fail("bytes read");
        i += read;
    }
    return 0;
}
