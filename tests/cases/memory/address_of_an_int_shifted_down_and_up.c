// verdict: TRUE
extern void reach_error(void);
int main(void) {
  int a[2] = {1, 2};
  int *p = (int *)((unsigned long)(a + 1) >> 2 << 2);
  if (*p != 2) reach_error();
  return 0;
}
