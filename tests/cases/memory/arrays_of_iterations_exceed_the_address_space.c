// verdict: UNKNOWN
// options: --data-model ILP32
void reach_error(void);
int main(void) {
  for (int i = 0; i < 20; i++) {
    unsigned n = 268435456;
    char array[n];
    array[0] = 1;
  }
  reach_error();
  return 0;
}
