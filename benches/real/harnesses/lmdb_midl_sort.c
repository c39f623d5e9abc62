// root: lmdb-rkv-sys-0.11.2
// include: lmdb/libraries/liblmdb
// unwind: 12
// expected: true
#include "inputs.h"
#include "lmdb/libraries/liblmdb/midl.c"

int main(void)
{
    MDB_ID ids[6];
    ids[0] = 5;
    for (int i = 1; i < 6; i++)
        ids[i] = __VERIFIER_nondet_ulong();
    mdb_midl_sort(ids);
    for (int i = 1; i < 5; i++)
        if (ids[i] < ids[i + 1])
            fail("order");
    return 0;
}
