// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct h {
  long address;
  char *low, *high;
};
static int x[4];
static char buffer[32];
static int *moved(struct h *h) { return (int *)(h->address + (h->high - h->low)); }
int main(void) {
  struct h h = {(long)x, buffer, buffer + 8};
  *moved(&h) = 5;
  if (x[2]) reach_error();
  return 0;
}
