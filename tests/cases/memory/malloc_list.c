// verdict: TRUE
extern void reach_error(void);
void *malloc(unsigned long);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i; n->next = head; head = n;
    }
    if (head->value != 2 || head->next->value != 1 || head->next->next->next != 0) reach_error();
}
