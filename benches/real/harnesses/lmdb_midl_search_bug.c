// root: lmdb-rkv-sys-0.11.2
// include: lmdb/libraries/liblmdb
// bug: lmdb/libraries/liblmdb/midl.c s/unsigned n = ids\[0\];/unsigned n = ids[0] + 1;/
// unwind: 12
// expected: false
#include "inputs.h"
#include "lmdb/libraries/liblmdb/midl.c"

int main(void)
{
    MDB_ID ids[8];
    ids[0] = 7;
    for (int i = 1; i < 8; i++)
        ids[i] = __VERIFIER_nondet_ulong();
    for (int i = 1; i < 7; i++)
        __VERIFIER_assume(ids[i] > ids[i + 1]);
    mdb_midl_search(ids, __VERIFIER_nondet_ulong());
    return 0;
}
