// verdict: FALSE(unreach-call)
extern void reach_error(void);
void touch(void);
extern int n;
int main(void) {
  void (*pointer)(void) = touch;
  n = 2;
  pointer();
  if (n != 2) reach_error();
  return 0;
}
