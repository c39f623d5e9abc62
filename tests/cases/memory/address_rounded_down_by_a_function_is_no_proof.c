// verdict: UNKNOWN
extern void reach_error(void);
static unsigned long rounded(unsigned long p, unsigned a) { return p & ~(unsigned long)(a - 1); }
int main(void) {
  char b[4] = {0, 0, 0, 1};
  char *p = (char *)rounded((unsigned long)(b + 3), 4);
  if (*p != 1) reach_error();
  return 0;
}
