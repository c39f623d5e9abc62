// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
struct node { struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    int found = 0;
    for (struct node *p = head; p; p = p->next) found += p == head->next;
    if (found != 1 || (unsigned long)head == (unsigned long)head->next) reach_error();
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
}
