// verdict: TRUE
// property: valid-deref
// decided-by: kiki
// only: QF_AUFLIRA
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
    int sum = 0;
    for (struct node *p = head; p; p = p->next) sum ^= p->data;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return sum;
}
