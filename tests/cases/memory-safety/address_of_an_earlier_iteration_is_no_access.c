// verdict: TRUE
// property: valid-memsafety
int main(void) {
  int *p = 0, same = 0;
  for (int i = 0; i < 3; i++) {
    int x = i;
    if (i > 0) same += p == &x;
    p = &x;
    if (i > 0) same += *p;
  }
  return same;
}
