// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int printf(const char *, ...);
int main(void) {
  char text[3] = {'a', 'b', 'c'};
  printf("%*.4s\n", 9, text);
  return 0;
}
