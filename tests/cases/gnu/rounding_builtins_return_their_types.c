// verdict: TRUE
void reach_error(void);
int main(void) {
  double d = 1e15;
  if (__builtin_lceil(d) != 1000000000000000) reach_error();
  if (__builtin_llfloor(-2.5) != -3 || __builtin_ifloorf(2.5f) != 2) reach_error();
  if (__builtin_iround(2.5) != 3 || __builtin_irint(2.5) != 2) reach_error();
  if (sizeof __builtin_lceil(d) != sizeof(long) || sizeof __builtin_iceil(d) != sizeof(int)) reach_error();
  return 0;
}
