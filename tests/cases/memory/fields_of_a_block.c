// verdict: TRUE
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct record { char tag; int number; struct record *other; long big; };
int main(void) {
    struct record *a = malloc(sizeof *a), *b = calloc(1, sizeof *b);
    struct record *p = __VERIFIER_nondet_int() ? a : b;
    if (b->number != 0 || b->other != 0 || b->tag != 0) reach_error();
    a->tag = 1;
    a->number = -5;
    a->other = b;
    p->big = 1L << 40;
    struct record copy;
    memcpy(&copy, a, sizeof copy);
    if (copy.number != -5 || copy.other->other != 0) reach_error();
    if (p == a && copy.big != 1L << 40) reach_error();
    p->number = 9;
    if (a->number != (p == a ? 9 : -5) || a->tag != 1) reach_error();
    return 0;
}
