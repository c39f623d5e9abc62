// verdict: FALSE(unreach-call)
void reach_error(void);
int state;
int set(void) { state = 1; return 0; }
int get(void) { return state; }
int main(void) {
  if (get() + set() == 0)
    reach_error();
}
