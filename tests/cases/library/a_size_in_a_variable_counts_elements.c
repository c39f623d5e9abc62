// verdict: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *memset(void *, int, unsigned long);
void *mempcpy(void *, const void *, unsigned long);
struct pair { char *name; short left, right; };
int main(void) {
  char letter = 'a';
  struct pair a[2] = {{&letter, 1, 2}, {&letter, 3, 4}}, b[2];
  unsigned k = __VERIFIER_nondet_uint() % 3;
  unsigned long size = k * sizeof(struct pair);
  struct pair *end = mempcpy(b, a, size);
  if (end != b + k) reach_error();
  if (k == 2 && (b[1].name != &letter || b[0].left != 1 || b[1].right != 4)) reach_error();
  memset(a, 0, size);
  if (k > 0 && (a[0].name || a[0].right)) reach_error();
  if (k < 2 && a[1].left != 3) reach_error();
}
