// verdict: TRUE
// property: unreach-call
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
extern void reach_error(void);
struct item { int *at; int number; };
int main(void) {
  int x = 5;
  struct item *a = malloc(2 * sizeof *a);
  a[0].at = a[1].at = &x;
  a[0].number = a[1].number = 5;
  a = realloc(a, sizeof *a);
  if (*a->at != a->number) reach_error();
}
