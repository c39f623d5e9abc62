// root: libgit2-sys-0.18.8+1.9.7
// include: libgit2/src/util libgit2/include
// bug: libgit2/src/util/utf8.c s/if (str_len > 0 \&\& length > str_len)/if (str_len > 1 \&\& length > str_len)/
// unwind: 10
// expected: false
#include "inputs.h"
#include "libgit2/src/util/utf8.c"

int main(void)
{
    char in[6];
    inputs(in, sizeof in);
    return git_utf8_valid_buf_length(in, sizeof in) == 6;
}
