// root: argon2-sys-0.1.0
// include: argon2/include argon2/src
// unwind: 24
// expected: true
#include "inputs.h"
#include "argon2/src/encoding.c"

int main(void)
{
    char text[22];
    unsigned long v = 0;
    inputs(text, sizeof text);
    text[21] = 0;
    const char *end = decode_decimal(text, &v);
    if (end && (end == text || end > text + 20))
        fail("digits");
    return 0;
}
