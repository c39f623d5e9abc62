// verdict: FALSE(no-overflow)
// property: no-overflow
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
int main(void) { return div(__VERIFIER_nondet_int(), -1).quot < 0; }
