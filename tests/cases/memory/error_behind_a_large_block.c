// verdict: UNKNOWN
// The run that reaches the error needs a block that the bounded search does not have, and the step
// case holds.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    char *p = malloc(n);
    if (!p || !n) return 0;
    unsigned x = 0;
    for (int i = 0; i < 3; i++) {
        if (n > 70000 && x == 0) reach_error();
        x = 1;
        p[0] = 1;
    }
    free(p);
    return 0;
}
