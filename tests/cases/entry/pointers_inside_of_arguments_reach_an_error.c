// verdict: FALSE(unreach-call)
// options: --function third --pointer-depth 2
// only: QF_ABVFP
// decided-by: bmc
void reach_error(void);
struct node { int value; struct node *next; };
static int third(const struct node *list) {
  if (list && list->next && list->next->next && list->next->next->value == 7) reach_error();
  return 0;
}
