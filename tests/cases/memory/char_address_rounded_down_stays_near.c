// verdict: TRUE
extern void reach_error(void);
int main(void) {
  char a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  char *p = (char *)((unsigned long)(a + 4) & ~3ul);
  if (p > a + 4 || p < a + 1 || *p < 2 || *p > 5) reach_error();
  return 0;
}
