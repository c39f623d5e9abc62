// verdict: TRUE
// options: --function entry
// only: QF_ABVFP
void reach_error(void) {}
void entry(char *a, char *b) {
  if (!a || !b) return;
  *a = 1;
  *b = 2;
  if (*a != 1) reach_error();
}
