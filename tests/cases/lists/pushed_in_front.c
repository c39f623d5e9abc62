// verdict: TRUE
// decided-by: kiki
// only: QF_AUFLIRA
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; int data; };
int main(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        n->data = 1;
        head = n;
    }
    for (struct node *p = head; p; p = p->next)
        if (p->data != 1) reach_error();
    return 0;
}
