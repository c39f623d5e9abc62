// verdict: FALSE(unreach-call)
// data-model: LP64
void reach_error(void);
int main(void) {
  double d = 1e15;
  if (__builtin_lceil(d) > 2147483647) reach_error();
  return 0;
}
