// verdict: TRUE
// property: valid-memsafety
// An access checked in one branch or in a loop is checked again after it, with the size read there.
void *malloc(unsigned long);
void free(void *);
unsigned __VERIFIER_nondet_uint(void);
extern int absent __attribute__((weak));
struct node { struct node *next; int value; };
void ignore(struct node *n) { (void)n; }
void (*callback)(struct node *) = ignore;
int last(int *p, unsigned n) {
  int sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += p[1];
  int *end = p + 2;
  return sum + p[1] + (end == p);
}
int main(void) {
  unsigned c = __VERIFIER_nondet_uint() % 2;
  int *p = malloc(8);
  p[0] = p[1] = 1;
  if (last(p, c) < 0)
    return 1;
  free(p);
  struct node second = {0, 2}, first = {&second, 1}, *n = &first;
  if (c)
    n->value = 2;
  else
    callback(n->next);
  // Not read if the object does not exist.
  if (&absent && absent > 0)
    return 1;
  return n->next->value + (c ? n->value : n->next->value);
}
