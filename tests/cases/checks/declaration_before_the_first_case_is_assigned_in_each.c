// verdict: TRUE
// check: uninit
int main(void) {
  int r = 0;
  for (int i = 0; i < 2; i++)
    switch (i) {
      int x, *p;
    case 0: x = 4;
    case 1:
      p = &x;
      *p = i;
      r += x;
    }
  return r;
}
