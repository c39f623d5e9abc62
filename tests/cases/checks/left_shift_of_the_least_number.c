// verdict: FALSE(no-overflow)
// property: no-overflow
int main(void) {
  int least = -2147483647 - 1, one = 1;
  return (least << one) != 0;
}
