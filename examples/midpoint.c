/* The midpoint bug of many binary searches: low + high wraps around.
 * hornwork verify examples/midpoint.c  finds inputs that reach the error and prints the execution. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= low && low <= high);

    int middle = (low + high) / 2;
    assert(low <= middle && middle <= high);
    return 0;
}
