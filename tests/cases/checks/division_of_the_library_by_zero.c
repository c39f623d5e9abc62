// verdict: FALSE(division-by-zero)
// check: div-by-zero
extern long __VERIFIER_nondet_long(void);
#include <stdlib.h>
int main(void) { return ldiv(5, __VERIFIER_nondet_long()).rem; }
