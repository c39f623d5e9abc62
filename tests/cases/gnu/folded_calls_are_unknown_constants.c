// verdict: UNKNOWN
void reach_error(void);
double sqrt(double);
int main(void) {
  if (!__builtin_constant_p(sqrt(4.0))) reach_error();
  return 0;
}
