// root: libnghttp2-sys-0.1.13+1.68.1
// include: nghttp2/lib nghttp2/lib/includes
// define: NGHTTP2_STATICLIB HAVE_ARPA_INET_H
// unwind: 10
// expected: true
#include "inputs.h"
#include "nghttp2/lib/nghttp2_hd_huffman_data.c"
#include "nghttp2/lib/nghttp2_hd_huffman.c"

int nghttp2_bufs_addb(nghttp2_bufs *bufs, uint8_t b) { return 0; }

int main(void)
{
    uint8_t in[5], out[8];
    nghttp2_hd_huff_decode_context context;
    nghttp2_buf buffer = { out, out + sizeof out, out, out, out };
    size_t size = size_up_to(sizeof in);
    inputs(in, sizeof in);
    nghttp2_hd_huff_decode_context_init(&context);
    nghttp2_hd_huff_decode(&context, &buffer, in, size, 1);
    return 0;
}
