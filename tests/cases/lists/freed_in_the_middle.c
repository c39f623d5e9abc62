// verdict: FALSE(valid-deref)
// property: valid-deref
// only: QF_ABVFP,QF_AUFLIRA
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };
int main(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        n->data = 1;
        head = n;
    }
    if (head && head->next) free(head->next);
    int sum = 0;
    for (struct node *p = head; p; p = p->next) sum ^= p->data;
    return sum;
}
