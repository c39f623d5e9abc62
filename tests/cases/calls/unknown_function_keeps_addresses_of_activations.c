// verdict: UNKNOWN
extern void reach_error(void);
void keep(int *p);
void touch(void);
static void deep(int n) {
  int x = n;
  keep(&x);
  x = n;
  if (n > 0) deep(n - 1);
  if (x != n) reach_error();
}
int main(void) {
  deep(2);
  return 0;
}
