// verdict: TRUE
// property: no-overflow
int main(void) {
  int minus = -1, most = 31, zero = 0;
  long wide = (long)minus << 63;
  return (minus << most < 0) + (zero << most) + (wide < 0) + (-3 << 2);
}
