// root: libgit2-sys-0.18.8+1.9.7
// include: libgit2/src/util libgit2/include
// unwind: 7
// expected: true
#include "inputs.h"
#include "libgit2/src/util/wildmatch.c"

int main(void)
{
    char pattern[4], text[4];
    inputs(pattern, 3);
    inputs(text, 3);
    pattern[3] = text[3] = 0;
    return wildmatch(pattern, text, 0);
}
