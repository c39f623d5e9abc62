// root: libsqlite3-sys-0.40.0
// include: sqlite3
// unwind: 12
// expected: true
#include "inputs.h"
#include "sqlite3/sqlite3.c"

int main(void)
{
    unsigned char out[9];
    u64 value = __VERIFIER_nondet_ulong(), back = 0;
    int written = sqlite3PutVarint(out, value);
    if (sqlite3GetVarint(out, &back) != written || back != value)
        fail("decoded");
    return 0;
}
