// root: lmdb-rkv-sys-0.11.2
// include: lmdb/libraries/liblmdb
// unwind: 12
// expected: true
#include "inputs.h"
#include "lmdb/libraries/liblmdb/midl.c"

int main(void)
{
    MDB_IDL ids = mdb_midl_alloc(2);
    if (!ids)
        return 0;
    size_t n = size_up_to(6);
    for (size_t i = 0; i < n; i++)
        if (mdb_midl_append(&ids, __VERIFIER_nondet_ulong())) {
            mdb_midl_free(ids);
            return 0;
        }
    if (ids[0] != n)
        fail("count");
    mdb_midl_free(ids);
    return 0;
}
