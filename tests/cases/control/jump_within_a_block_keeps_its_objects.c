// verdict: TRUE
extern void reach_error(void);
int main(void) {
  int r = 0;
  {
    int x = 5;
  again:
    if (x != 5) reach_error();
    {
      if (r++ < 2) goto again;
    }
    switch (r) {
    case 1: x = 6;
    default:
      if (x != 5) reach_error();
    }
  }
  return 0;
}
