// verdict: FALSE(unreach-call)
void reach_error(void);
int state;
int next(void) { return ++state; }
int difference(int a, int b) { return a - b; }
int main(void) {
  if (difference(next(), next()) > 0)
    reach_error();
}
