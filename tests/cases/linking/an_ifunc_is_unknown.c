// verdict: UNKNOWN
void reach_error(void);
static int implementation(void) { return 6; }
static void *resolver(void) { return implementation; }
int f(void) __attribute__((ifunc("resolver")));
int main(void) {
  if (f() != 6) reach_error();
  return 0;
}
