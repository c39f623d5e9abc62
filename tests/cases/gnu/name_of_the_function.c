// verdict: TRUE
void reach_error(void);
int main(void) {
  const char *name = __builtin_FUNCTION();
  if (name[0] != 'm' || name[4] != 0) reach_error();
  return 0;
}
