// root: libnghttp2-sys-0.1.13+1.68.1
// include: nghttp2/lib nghttp2/lib/includes
// unwind: 8
// expected: true
#include "inputs.h"
#include "nghttp2/lib/sfparse.c"

int main(void)
{
    uint8_t in[5];
    sfparse_parser parser;
    sfparse_value value;
    size_t size = size_up_to(sizeof in);
    inputs(in, sizeof in);
    sfparse_parser_init(&parser, in, size);
    sfparse_parser_item(&parser, &value);
    return 0;
}
