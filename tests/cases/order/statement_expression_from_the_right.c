// verdict: UNKNOWN
void reach_error(void);
int state;
int next(void) { return ++state; }
int main(void) {
  if (({ int x = next(); x; }) + next() != 3)
    reach_error();
}
