// root: argon2-sys-0.1.0
// include: argon2/include argon2/src
// bug: argon2/src/encoding.c s/if ((len++) >= \*dst_len) {/if ((len++) > *dst_len) {/
// unwind: 14
// expected: false
#include "inputs.h"
#include "argon2/src/encoding.c"

int main(void)
{
    unsigned char back[6];
    char text[14];
    size_t n = sizeof back;
    inputs(text, sizeof text);
    text[13] = 0;
    from_base64(back, &n, text);
    return 0;
}
