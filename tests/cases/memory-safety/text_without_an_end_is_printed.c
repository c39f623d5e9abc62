// verdict: FALSE(valid-deref)
// property: valid-memsafety
extern int printf(const char *, ...);
int main(void) {
  char text[3] = {'a', 'b', 'c'};
  printf("%d: %s\n", 1, text);
  return 0;
}
