// verdict: FALSE(unreach-call)
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
struct node { struct node *next; unsigned long key; };
struct record { unsigned long n; char *text; };
static void *checked_malloc(unsigned long n) {
    void *p = malloc(n);
    if (!p) abort();
    return p;
}
int main(void) {
    struct node *a = checked_malloc(sizeof *a);
    struct record *r = checked_malloc(sizeof *r);
    char *text = checked_malloc(8);
    a->next = 0;
    a->key = __VERIFIER_nondet_ulong();
    r->n = a->key % 7;
    r->text = text;
    for (int i = 0; i < 8; i++) text[i] = 0;
    r->text[r->n] = 'x';
    if (text[a->key & 7] != 'x') reach_error();
    return 0;
}
