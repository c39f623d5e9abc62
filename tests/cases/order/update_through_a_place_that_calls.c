// verdict: FALSE(unreach-call)
void reach_error(void);
int step, array[3] = {10, 20, 30};
int next(void) { return step++; }
int main(void) {
  array[next()] += next();
  if (array[1] == 20 && array[0] == 11)
    return 0;
  reach_error();
}
