// verdict: FALSE(uninit)
// check: uninit
int main(void) {
  int r = 0;
  for (int i = 0; i < 2; i++)
    switch (i) {
      int x;
    case 0:
      x = 4;
      r += x;
      break;
    case 1: r += x;
    }
  return r;
}
