// verdict: TRUE
// property: valid-memsafety
// decided-by: bmc k-induction
void *malloc(unsigned long);
struct node { int value; struct node *next; };
struct node *head;
int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
  }
  return 0;
}
