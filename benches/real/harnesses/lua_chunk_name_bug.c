// root: lua-src-551.1.0
// include: lua-5.4.9
// define: LUA_IDSIZE=24
// bug: lua-5.4.9/lobject.c s/if (srclen > bufflen) srclen = bufflen;/if (srclen > bufflen + 4) srclen = bufflen;/
// unwind: 32
// expected: false
#include "inputs.h"
#include "lua-5.4.9/luaconf.h"
#undef LUA_IDSIZE
#define LUA_IDSIZE 24
#include "lua-5.4.9/lobject.c"

int main(void)
{
    char source[16], out[LUA_IDSIZE];
    size_t size = size_up_to(sizeof source - 1);
    inputs(source, sizeof source);
    for (size_t i = 0; i < sizeof source; i++)
        __VERIFIER_assume(i < size ? source[i] != 0 : source[i] == 0);
    luaO_chunkid(out, source, size);
    return 0;
}
