// verdict: UNKNOWN
// property: unreach-call
void reach_error(void);
void keep(int *);
void change(void);
int main(void) {
  int x = 1;
  keep(&x);
  x = 1;
  change();
  if (x != 1) reach_error();
  return 0;
}
