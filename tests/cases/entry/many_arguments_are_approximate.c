// verdict: UNKNOWN
void reach_error(void) {}
int main(int argc, char **argv) {
  if (argc > 6 && argv[5] == (char *)1) reach_error();
  return 0;
}
