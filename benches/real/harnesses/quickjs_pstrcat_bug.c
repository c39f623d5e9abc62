// root: libquickjs-sys-0.10.0
// include: embed/quickjs
// bug: embed/quickjs/cutils.c s/if (c == 0 || q >= buf + buf_size - 1)/if (c == 0 || q >= buf + buf_size)/
// unwind: 14
// expected: false
#include "inputs.h"
#include "embed/quickjs/cutils.c"

int main(void)
{
    char buf[8] = "ab", s[10];
    inputs(s, sizeof s);
    s[9] = 0;
    pstrcat(buf, sizeof buf, s);
    return 0;
}
