// verdict: TRUE
// options: --property=unreach-call
void reach_error(void);
int a, b;
int main(void) {
  unsigned long x = (unsigned long)&a, y = (unsigned long)&b;
  if (x == y || !(x - y) || !(x + 4 <= y || y + 4 <= x) || (x > y) + (x < y) != 1)
    reach_error();
}
