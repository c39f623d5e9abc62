// verdict: TRUE
void *malloc(unsigned long);
void reach_error(void);
int main(void) {
  void *before = 0;
  for (int i = 0; i < 2; i++) {
    void *block = malloc(8);
    if (block == before)
      reach_error();
    before = block;
  }
}
