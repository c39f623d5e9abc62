// root: tree-sitter-0.27.1
// include: include src
// unwind: 4
// expected: true
#include "inputs.h"
#include "src/point.c"

int main(void)
{
    TSPoint point = { __VERIFIER_nondet_ushort(), __VERIFIER_nondet_ushort() };
    uint32_t byte = __VERIFIER_nondet_uint(), before = byte;
    TSInputEdit edit = { __VERIFIER_nondet_uint(), __VERIFIER_nondet_uint(), __VERIFIER_nondet_uint(),
        { 0, 1 }, { 0, 2 }, { 0, 3 } };
    __VERIFIER_assume(edit.start_byte <= edit.old_end_byte && edit.start_byte <= edit.new_end_byte);
    ts_point_edit(&point, &byte, &edit);
    if (before < edit.start_byte && byte != before)
        fail("before the edit");
    return 0;
}
