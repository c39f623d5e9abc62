// root: argon2-sys-0.1.0
// include: argon2/include argon2/src
// unwind: 12
// expected: true
#include "inputs.h"
#include "argon2/src/encoding.c"

int main(void)
{
    unsigned char in[6], back[6];
    char text[12];
    size_t size = size_up_to(sizeof in), n = sizeof back;
    inputs(in, sizeof in);
    size_t len = to_base64(text, sizeof text, in, size);
    if (len == (size_t)-1)
        fail("room");
    const char *end = from_base64(back, &n, text);
    if (!end || *end || n != size)
        fail("length");
    for (size_t i = 0; i < n; i++)
        if (back[i] != in[i])
            fail("byte");
    return 0;
}
