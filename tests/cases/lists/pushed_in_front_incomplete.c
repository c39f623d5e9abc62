// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_AUFLIRA
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; int data; };
int main(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        if (head) n->data = 1;
        head = n;
    }
    for (struct node *p = head; p; p = p->next)
        if (p->data != 1) reach_error();
    return 0;
}
