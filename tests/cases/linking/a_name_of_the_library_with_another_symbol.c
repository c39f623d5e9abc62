// verdict: FALSE(unreach-call)
void reach_error(void);
int mine(int x) { return x; }
int abs(int) __asm__("mine");
int main(void) {
  if (abs(-3) == -3) reach_error();
  return 0;
}
