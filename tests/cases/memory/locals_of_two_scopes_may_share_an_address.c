// verdict: FALSE(unreach-call)
void reach_error(void);
int main(void) {
  int *p, *q;
  { int a; p = &a; }
  { int b; q = &b; }
  if (p == q)
    reach_error();
}
