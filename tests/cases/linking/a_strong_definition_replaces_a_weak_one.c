// verdict: TRUE
// with: a_strong_definition_replaces_a_weak_one.part.c
void reach_error(void) {}
__attribute__((weak)) int limit(void) { return 1; }
__attribute__((weak)) int bound = 10;
int alone(void) __attribute__((weak));
int alone(void) { return 3; }
int missing(void) __attribute__((weak));
extern int absent __attribute__((weak));
int main(void) {
  if (limit() != 2 || bound != 20 || alone() != 3) reach_error();
  if (missing) missing();
  if (missing || &absent) reach_error();
  return 0;
}
