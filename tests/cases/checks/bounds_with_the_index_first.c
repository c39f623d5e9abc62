// verdict: FALSE(bounds)
// check: bounds
int a[3];
int main(void) {
  int i = 3;
  return i[a];
}
