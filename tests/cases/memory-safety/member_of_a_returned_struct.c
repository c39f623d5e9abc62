// verdict: TRUE
// property: valid-memsafety
struct s { char text[4]; };
struct s make(void) {
  struct s x = {"abc"};
  return x;
}
char second(const char *text) { return text[1]; }
int main(void) { return second(make().text) - make().text[1]; }
