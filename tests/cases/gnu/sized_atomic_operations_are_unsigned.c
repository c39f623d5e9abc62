// verdict: TRUE
void reach_error(void);
int main(void) {
  int x = -5;
  if (__sync_fetch_and_add_4(&x, 1) < 0 || x != -4) reach_error();
  if (!__sync_bool_compare_and_swap_4(&x, -4, 3) || x != 3) reach_error();
  return 0;
}
