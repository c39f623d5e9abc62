// verdict: TRUE
// property: valid-memsafety
// decided-by: bmc k-induction
void *malloc(unsigned long);
struct tree { struct tree *left, *right; char *name; } *root;
static struct { int n; char **names; } table;
static char *cursor;
int main(void) {
  root = malloc(sizeof *root);
  root->left = malloc(sizeof *root);
  root->right = root;
  root->left->left = root->left->right = root;
  root->left->name = malloc(3);
  root->name = root->left->name;
  table.names = malloc(2 * sizeof(char *));
  table.names[0] = malloc(1);
  table.names[1] = malloc(2);
  static char *last;
  last = malloc(4);
  cursor = last + 4;
  last = 0;
  return 0;
}
