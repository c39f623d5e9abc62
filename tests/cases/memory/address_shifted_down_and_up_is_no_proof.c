// verdict: UNKNOWN
extern void reach_error(void);
int main(void) {
  char a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  char *p = (char *)((unsigned long)(a + 4) >> 2 << 2);
  if (*p != 5) reach_error();
  return 0;
}
