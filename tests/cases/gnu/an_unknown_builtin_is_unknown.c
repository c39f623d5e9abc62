// verdict: UNKNOWN
void reach_error(void);
int main(void) {
  if (__builtin_no_such_function(3) == 3) reach_error();
  return 0;
}
