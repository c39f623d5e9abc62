// root: picohttpparser-sys-1.0.0
// include: deps/picohttpparser
// unwind: 14
// expected: true
#include "inputs.h"
#include "deps/picohttpparser/picohttpparser.c"

int main(void)
{
    struct phr_chunked_decoder decoder = {0};
    char buf[8];
    size_t size = size_up_to(sizeof buf), n = size;
    inputs(buf, sizeof buf);
    decoder.consume_trailer = __VERIFIER_nondet_uchar();
    ssize_t rest = phr_decode_chunked(&decoder, buf, &n);
    if (rest != -1 && n > size)
        fail("size");
    return 0;
}
