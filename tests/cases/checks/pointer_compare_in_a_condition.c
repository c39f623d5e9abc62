// verdict: FALSE(pointer-compare)
// check: pointer-compare
int a, b;
int main(void) {
  while (&a < &b)
    return 1;
  return 0;
}
