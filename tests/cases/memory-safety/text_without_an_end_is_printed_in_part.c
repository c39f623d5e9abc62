// verdict: TRUE
// property: valid-memsafety
extern int printf(const char *, ...);
int main(void) {
  char text[3] = {'a', 'b', 'c'};
  printf("%.3s %.*s %s\n", text, 2, text, "end");
  return 0;
}
