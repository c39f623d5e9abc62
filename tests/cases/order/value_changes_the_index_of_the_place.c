// verdict: FALSE(unreach-call)
void reach_error(void);
int where, array[2];
int move(void) { where = 1; return 5; }
int main(void) {
  array[where] = move();
  if (array[0] != 5)
    reach_error();
}
