// verdict: FALSE(valid-memtrack)
// property: valid-memsafety
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = list;
    list = n;
  }
  while (list->next) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
