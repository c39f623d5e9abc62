// verdict: TRUE
// only: QF_ABVFP
void reach_error(void) {}
int main(int argc, char **argv) {
  if (argc != 3) return 0;
  if (argv[3] != 0 || argv[1] == 0 || argv[1] == argv[2]) reach_error();
  return 0;
}
