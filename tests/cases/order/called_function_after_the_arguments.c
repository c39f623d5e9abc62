// verdict: FALSE(unreach-call)
void reach_error(void);
int one(int x) { return 1; }
int two(int x) { return 2; }
int (*function)(int) = one;
int change(void) { function = two; return 0; }
int main(void) {
  if (function(change()) == 2)
    reach_error();
}
