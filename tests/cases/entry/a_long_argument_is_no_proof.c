// verdict: UNKNOWN
void reach_error(void) {}
int main(int argc, char **argv) {
  if (argc != 2) return 0;
  unsigned n = 5000;
  if (argv[1][n] == 'x') reach_error();
  return 0;
}
