// verdict: FALSE(unreach-call)
// only: QF_ABVFP
void reach_error(void) {}
int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] == 'h' && argv[1][1] == 'i' && argv[1][2] == 0) reach_error();
  return 0;
}
