// verdict: TRUE
// options: --function drop --pointer-depth 1
// property: valid-memsafety,valid-memcleanup
// only: QF_ABVFP
// decided-by: bmc
void free(void *);
struct node { struct node *next; };
void drop(struct node *list, char *kept) {
  if (!list) return;
  free(list->next);
  free(list);
}
