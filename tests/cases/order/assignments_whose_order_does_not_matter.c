// verdict: TRUE
// options: --property=unreach-call
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; int value; } a, b = {0, 2}, *first = &a;
int count, array[4], other;
int next(void) { count++; return 1; }
struct node *last(void) { count++; return &b; }
int main(void) {
  unsigned index = __VERIFIER_nondet_uint() % 4;
  array[index] += next();
  array[index] <<= next();
  first->next = last();
  first->next->value += next();
  other = other + next();
  other -= (array[index] == 2) ? next() : 7;
  if (array[index] != 2 || a.next != &b || b.value != 3 || other != 0 || count != 6)
    reach_error();
}
