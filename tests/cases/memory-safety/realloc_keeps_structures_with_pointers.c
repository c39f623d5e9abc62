// verdict: TRUE
// property: unreach-call
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
extern void reach_error(void);
struct item { int *at; int number; };
int main(void) {
  int x = 5;
  struct item *a = malloc(sizeof *a);
  a->at = &x;
  a->number = 5;
  a = realloc(a, 2 * sizeof *a);
  if (*a->at != a->number) reach_error();
}
