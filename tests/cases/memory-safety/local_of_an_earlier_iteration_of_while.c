// verdict: FALSE(valid-deref)
// property: valid-memsafety
struct node { struct node *next; int value; };
int main(void) {
  struct node *list = 0;
  int n = 3;
  while (n-- > 0) {
    struct node node = {list, n};
    list = &node;
  }
  n = 0;
  do {
    struct node node = {0};
    node.value = n;
    if (n == 1) return list->value;
    list = &node;
  } while (++n < 3);
  return 0;
}
