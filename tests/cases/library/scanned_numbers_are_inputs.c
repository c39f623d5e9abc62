// verdict: FALSE(unreach-call)
extern void reach_error(void);
int scanf(const char *, ...);
int main(void) {
  int n = 0;
  char word[5];
  if (scanf("%d %4s", &n, word) == 2 && n == 1234567 && word[0] == 'x' && word[1] == 0) reach_error();
}
