// verdict: FALSE(unreach-call)
void reach_error(void) {}
void exit(int);
int order;
__attribute__((constructor)) static void last(void) { order = order * 10 + 3; }
__attribute__((constructor(200))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
__attribute__((destructor)) static void after(void) {
  if (order == 1234) reach_error();
}
int main(void) {
  if (order == 123) order = 1234;
  exit(0);
}
