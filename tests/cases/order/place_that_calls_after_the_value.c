// verdict: FALSE(unreach-call)
void reach_error(void);
int step, array[3];
int next(void) { return step++; }
int main(void) {
  array[next()] = next();
  if (array[1] == 0 && step == 2)
    reach_error();
}
