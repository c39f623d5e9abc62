// verdict: FALSE(unreach-call)
// property: unreach-call,valid-deref
extern void reach_error(void);
static int x[2] = {1, 1};
static long base;
static void work(void *arg) {
  int *p = (int *)(base + 4 * (long)arg);
  *p = 5;
}
int main(void) {
  base = (long)x;
  work((void *)0);
  if (x[0] != 1) reach_error();
  return 0;
}
