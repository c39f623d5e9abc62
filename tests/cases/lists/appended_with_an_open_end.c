// verdict: TRUE
// decided-by: kiki
// only: QF_AUFLIRA
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int data; struct node *next; };
int main(void) {
    struct node *head = malloc(sizeof(struct node)), *last = head;
    while (__VERIFIER_nondet_int()) {
        last->data = __VERIFIER_nondet_int() ? 1 : 2;
        last->next = malloc(sizeof(struct node));
        last = last->next;
    }
    last->data = 3;
    last->next = 0;
    for (struct node *p = head; p; p = p->next)
        if (p->data < 1 || p->data > 3) reach_error();
    return 0;
}
