// verdict: TRUE
// property: valid-memsafety
// Valid accesses through every kind of lvalue.
void *malloc(unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
unsigned __VERIFIER_nondet_uint(void);
struct inner { int a[2]; char c; };
struct outer { int n; struct inner in; struct outer *next; };
struct outer global = {1, {{1, 2}, 3}, 0};
struct inner get(void) { return global.in; }
int through(struct outer *o, unsigned i) { return (&o->in)->a[i] + *(o->in.a + i) + (*&*o).in.a[1 - i]; }
int main(void) {
  unsigned i = __VERIFIER_nondet_uint() % 2;
  struct outer *p = malloc(sizeof *p), local = global;
  memcpy(p, &local, sizeof local);
  p->next = &local;
  int *end = p->in.a + 2, sum = end[-1] + through(p, i) + get().a[i];
  struct inner copy;
  sum += (copy = p->next->in).a[i] + (i ? p->in : local.in).a[1];
  sum += ({ struct inner k = copy; k; }).a[i];
  char *bytes = (char *)&p->in;
  struct outer *back = (struct outer *)(bytes - __builtin_offsetof(struct outer, in));
  sum += back->n + bytes[sizeof(struct inner) - 1] * 0;
  int matrix[2][2] = {{1, 2}, {3, 4}};
  sum += matrix[i][1 - i] + *(*(matrix + i) + i);
  for (unsigned k = 0; k < i; k++) {
    int length = 2 + (int)k, array[length];
    array[length - 1] = sum;
    sum = array[length - 1];
  }
  free(p);
  return sum & 1;
}
