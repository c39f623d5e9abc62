// verdict: UNKNOWN
// property: unreach-call,valid-memsafety
void reach_error(void);
void keep(int *);
void change(void);
int main(void) {
  int *before = 0;
  for (int i = 0; i < 2; i++) {
    int x = 1;
    keep(&x);
    x = 1;
    change();
    if (x != 1 || before && before == &x) reach_error();
    before = &x;
  }
  return 0;
}
