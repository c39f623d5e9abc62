// root: libnghttp2-sys-0.1.13+1.68.1
// include: nghttp2/lib nghttp2/lib/includes
// define: NGHTTP2_STATICLIB HAVE_ARPA_INET_H
// bug: nghttp2/lib/nghttp2_hd_huffman.c s/& 0x1ff\]\[c >> 4\]/\& 0x3ff][c >> 4]/
// unwind: 10
// expected: false
#include "inputs.h"
#include "nghttp2/lib/nghttp2_hd_huffman_data.c"
#include "nghttp2/lib/nghttp2_hd_huffman.c"

int nghttp2_bufs_addb(nghttp2_bufs *bufs, uint8_t b) { return 0; }

int main(void)
{
    uint8_t in[5], out[12];
    nghttp2_hd_huff_decode_context context;
    nghttp2_buf buffer = { out, out + sizeof out, out, out, out };
    inputs(in, sizeof in);
    nghttp2_hd_huff_decode_context_init(&context);
    context.fstate |= (uint16_t)(__VERIFIER_nondet_uchar() & 1) << 9;
    nghttp2_hd_huff_decode(&context, &buffer, in, sizeof in, 1);
    return 0;
}
