// verdict: TRUE
// property: valid-memsafety
void keep(int *);
void change(void);
int main(void) {
  for (int i = 0; i < 2; i++) {
    {
      int x = 1;
      keep(&x);
    }
    change();
  }
  {
    int y = 2;
    keep(&y);
  }
  change();
  return 0;
}
