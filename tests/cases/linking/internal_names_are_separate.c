// verdict: TRUE
// with: internal_names_are_separate.part.c
void reach_error(void) {}
static int count;
static int next(void) { return ++count; }
int other(void);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += next();
  if (other() != 101 || other() != 102 || sum != 6 || count != 3) reach_error();
  return 0;
}
