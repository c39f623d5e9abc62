// verdict: TRUE
void reach_error(void);
int old_name(void);
#pragma redefine_extname old_name new_name
int new_name(void) { return 4; }
int main(void) {
  if (old_name() != 4) reach_error();
  return 0;
}
