// root: picohttpparser-sys-1.0.0
// include: deps/picohttpparser
// unwind: 20
// expected: true
#include "inputs.h"
#include "deps/picohttpparser/picohttpparser.c"

int main(void)
{
    char buf[16];
    size_t size = size_up_to(sizeof buf);
    const char *method, *path;
    size_t method_len, path_len, headers = 2;
    int version;
    struct phr_header h[2];
    inputs(buf, sizeof buf);
    int r = phr_parse_request(buf, size, &method, &method_len, &path, &path_len, &version, h,
                              &headers, 0);
    if (r > (int)size)
        fail("size");
    return 0;
}
