// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
struct node { struct node *next; int value; char name[3]; };
struct node table[10], copy[10];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 8) return 0;
  table[i].value = __VERIFIER_nondet_int();
  table[i].next = &table[i + 1];
  table[i + 1].value = 7;
  memcpy(copy, table, sizeof table);
  if (copy[i].value != table[i].value || copy[i].next->value != 7) reach_error();
  memset(&copy[i], 0, sizeof *copy);
  if (copy[i].next || copy[i].value || copy[i + 1].value != 7) reach_error();
}
