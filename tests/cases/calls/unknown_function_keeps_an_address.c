// verdict: UNKNOWN
extern void reach_error(void);
void keep(int *p);
void touch(void);
static void inner(void) { touch(); }
int main(void) {
  int x = 1;
  keep(&x);
  x = 2;
  inner();
  if (x != 2) reach_error();
  return 0;
}
