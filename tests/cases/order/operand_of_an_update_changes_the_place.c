// verdict: FALSE(unreach-call)
void reach_error(void);
int total = 1;
int reset(void) { total = 7; return 5; }
int main(void) {
  total += reset();
  if (total == 12)
    reach_error();
}
