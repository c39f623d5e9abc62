// verdict: FALSE(unreach-call)
extern void reach_error(void);
static int x = 1;
static void *off;
int main(void) {
  long base = (long)&x;
  *(int *)(base + (long)off) = 5;
  if (x != 1) reach_error();
  return 0;
}
