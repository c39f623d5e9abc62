// verdict: UNKNOWN
// property: unreach-call
// The old block ends within a structure with a pointer.
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
extern void reach_error(void);
struct item { int number; int *at; };
int main(void) {
  struct item *a = malloc(12);
  a->number = 5;
  a = realloc(a, 2 * sizeof *a);
  if (a->number != 5) reach_error();
}
