// verdict: FALSE(unreach-call)
void reach_error(void);
int a, b, *table[2] = {&a, &b};
int main(void) {
  int *last = 0;
  for (int i = 0; i < 2; i++) {
    int *next = table[i];
    if (next < last)
      reach_error();
    last = next;
  }
}
