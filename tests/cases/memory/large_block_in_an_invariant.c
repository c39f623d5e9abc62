// verdict: TRUE
// only: QF_ABVFP
// decided-by: k-induction
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n >= 100000) return 0;
    int *p = malloc(n * sizeof *p);
    if (!p) return 0;
    for (int i = 0; i < n; i++) p[i] = i;
    for (int i = 0; i < n; i++)
        if (p[i] != i) reach_error();
    free(p);
    return 0;
}
