// verdict: TRUE
// property: valid-memsafety
void set(int *p) { *p = 1; }
int main(void) {
  int n = 0;
  goto in;
  while (n < 3) {
    int x = 0;
  in:
    set(&x);
    n += x;
  }
  return 0;
}
