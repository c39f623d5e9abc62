// verdict: FALSE(unreach-call)
void reach_error(void);
struct pair { int a, b; } pairs[2];
int where;
struct pair make(void) { struct pair made = {5, 6}; where = 1; return made; }
int main(void) {
  pairs[where] = make();
  if (pairs[0].b == 6)
    reach_error();
}
