// verdict: TRUE
// decided-by: kiki
// only: QF_ABVFP
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct number { struct number *next; int data; };
struct word { long padding[4]; struct word *next; long data; };
int main(void) {
    struct number *numbers = 0;
    struct word *words = 0;
    while (__VERIFIER_nondet_int()) {
        struct number *n = malloc(sizeof *n);
        n->next = numbers;
        n->data = 3;
        numbers = n;
        struct word *w = malloc(sizeof *w);
        w->next = words;
        w->data = 7;
        words = w;
    }
    for (; numbers; numbers = numbers->next)
        if (numbers->data != 3) reach_error();
    for (; words; words = words->next)
        if (words->data != 7) reach_error();
    return 0;
}
