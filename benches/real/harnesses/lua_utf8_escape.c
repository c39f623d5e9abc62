// root: lua-src-551.1.0
// include: lua-5.4.9
// unwind: 10
// expected: true
#include "inputs.h"
#include "lua-5.4.9/lobject.c"

int main(void)
{
    char buffer[UTF8BUFFSZ];
    unsigned long point = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(point <= 0x7FFFFFFFu);
    int size = luaO_utf8esc(buffer, point);
    if (size < 1 || size > 6)
        fail("size");
    return 0;
}
