// verdict: TRUE
extern void reach_error(void);
int printf(const char *, ...);
int main(void) {
  int length = printf("%d\n", 123);
  if (length >= 0 && length != 4) reach_error();
}
