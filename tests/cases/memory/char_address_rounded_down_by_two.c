// verdict: FALSE(unreach-call)
extern void reach_error(void);
int main(void) {
  char a[2] = {1, 2};
  if (*(char *)((unsigned long)(a + 1) & ~1ul) == 1) reach_error();
  return 0;
}
