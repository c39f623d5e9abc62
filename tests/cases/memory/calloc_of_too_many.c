// verdict: TRUE
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 3) return 0;
    long *small = calloc(n, sizeof *small);
    if (small == 0 || small[n - 1] != 0) reach_error();
    if (calloc(-1ul / 8 + 2, 8) || calloc(8, -1ul / 8 + 2) || calloc(1ul << 32, 1ul << 32)) reach_error();
    if (!calloc(0, 8) || !calloc(8, 0)) reach_error();
    return 0;
}
